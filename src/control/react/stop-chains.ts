import type { ReactionTrigger } from "./reaction-trigger.ts";

/** Counts how often the end of a turn was blocked: it must come eventually, whatever rules say. */
export interface StopChains {
  /** Must be called for every Stop and SubagentStop before anything else is asked about it. */
  onStop(occasion: ReactionTrigger): void;
  mayBlock(occasion: ReactionTrigger, ruleId: string, most: number): boolean;
  countBlock(occasion: ReactionTrigger, ruleId: string): void;
}

/** By one rule, and by all of them together. */
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
    onStop(occasion) {
      const key = keyOf(occasion);
      const known = chains.get(key);
      const { promptId, stopHookActive } = occasion;
      if (known !== undefined && (stopHookActive || (promptId !== null && known.promptId === promptId)))
        return;
      chains.delete(key);
      // A chain whose start we missed has an unknown count: it is not blocked again.
      chains.set(key, { promptId, byRule: new Map(), stops: stopHookActive ? MAX_BLOCKS : 0, lastId: null });
      if (chains.size > MAX_CHAINS) chains.delete(chains.keys().next().value!);
    },
    mayBlock(occasion, ruleId, most) {
      const chain = chains.get(keyOf(occasion));
      if (chain === undefined) return false;
      if (chain.stops >= MAX_BLOCKS && chain.lastId !== occasion.id) return false;
      return (chain.byRule.get(ruleId) ?? 0) < Math.min(most, MAX_BLOCKS);
    },
    countBlock(occasion, ruleId) {
      const chain = chains.get(keyOf(occasion));
      if (chain === undefined) return;
      chain.byRule.set(ruleId, (chain.byRule.get(ruleId) ?? 0) + 1);
      // Rules that block the same stop count once.
      if (chain.lastId !== occasion.id) chain.stops++;
      chain.lastId = occasion.id;
    },
  };
}
