import type { ReactionTrigger } from "./reaction-trigger.ts";

/** Counts how often the end of a turn was blocked: it must come eventually, whatever rules say. */
export interface StopChains {
  /** Must be called for every Stop and SubagentStop before anything else is asked about it. */
  onStop(trigger: ReactionTrigger): void;
  mayBlock(trigger: ReactionTrigger, ruleId: string, maxBlocks: number): boolean;
  countBlock(trigger: ReactionTrigger, ruleId: string): void;
}

/** How often one end may be blocked, per rule and in total. */
const MAX_BLOCKS = 3;
const MAX_CHAINS = 500;

interface Chain {
  readonly promptId: string | null;
  readonly byRule: Map<string, number>;
  stops: number;
  lastId: string | null;
}

/**
 * A chain is one end of a turn and those that follow because it was blocked. A hook's feedback may start what
 * looks like another turn, so a chain continues while the agent says so or the turn is the same.
 */
export function createStopChains(): StopChains {
  const chains = new Map<string, Chain>();
  const keyOf = ({ sessionId, agentId }: ReactionTrigger): string => `${sessionId}\n${agentId ?? ""}`;
  return {
    onStop(trigger) {
      const key = keyOf(trigger);
      const chain = chains.get(key);
      const { promptId, stopHookActive } = trigger;
      if (chain !== undefined && (stopHookActive || (promptId !== null && chain.promptId === promptId)))
        return;
      chains.delete(key);
      // A chain whose start we missed has an unknown count: it is not blocked again.
      chains.set(key, { promptId, byRule: new Map(), stops: stopHookActive ? MAX_BLOCKS : 0, lastId: null });
      if (chains.size > MAX_CHAINS) chains.delete(chains.keys().next().value!);
    },
    mayBlock(trigger, ruleId, maxBlocks) {
      const chain = chains.get(keyOf(trigger));
      if (chain === undefined) return false;
      if (chain.stops >= MAX_BLOCKS && chain.lastId !== trigger.id) return false;
      return (chain.byRule.get(ruleId) ?? 0) < Math.min(maxBlocks, MAX_BLOCKS);
    },
    countBlock(trigger, ruleId) {
      const chain = chains.get(keyOf(trigger));
      if (chain === undefined) return;
      chain.byRule.set(ruleId, (chain.byRule.get(ruleId) ?? 0) + 1);
      // Rules that block the same stop count once.
      if (chain.lastId !== trigger.id) chain.stops++;
      chain.lastId = trigger.id;
    },
  };
}
