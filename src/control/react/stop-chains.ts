import type { Occasion } from "./occasion.ts";

/** How often a turn's end was held up already: it must come, whatever rules say. */
export interface StopChains {
  /** To be told of every Stop and SubagentStop before anything is asked about it. */
  begin(occasion: Occasion): void;
  mayBlock(occasion: Occasion, ruleId: string, most: number): boolean;
  count(occasion: Occasion, ruleId: string): void;
}

/** By one rule, and by all of them together. */
const MOST = 3;
const MOST_CHAINS = 500;

interface Chain {
  readonly promptId: string | null;
  readonly byRule: Map<string, number>;
  stops: number;
  lastId: string | null;
}

/**
 * A chain is one end of a turn and those that follow because it was held up. A hook's feedback may begin what looks
 * like another turn, so a chain goes on while the agent says so, and also while the turn is the same.
 */
export function createStopChains(): StopChains {
  const chains = new Map<string, Chain>();
  const keyOf = ({ sessionId, agentId }: Occasion): string => `${sessionId}\n${agentId ?? ""}`;
  return {
    begin(occasion) {
      const key = keyOf(occasion);
      const known = chains.get(key);
      const { promptId, stopHookActive } = occasion;
      if (known !== undefined && (stopHookActive || (promptId !== null && known.promptId === promptId)))
        return;
      chains.delete(key);
      // Of one whose beginning nobody told us nothing is known: it is not held up again.
      chains.set(key, { promptId, byRule: new Map(), stops: stopHookActive ? MOST : 0, lastId: null });
      if (chains.size > MOST_CHAINS) chains.delete(chains.keys().next().value!);
    },
    mayBlock(occasion, ruleId, most) {
      const chain = chains.get(keyOf(occasion));
      if (chain === undefined) return false;
      if (chain.stops >= MOST && chain.lastId !== occasion.id) return false;
      return (chain.byRule.get(ruleId) ?? 0) < Math.min(most, MOST);
    },
    count(occasion, ruleId) {
      const chain = chains.get(keyOf(occasion));
      if (chain === undefined) return;
      chain.byRule.set(ruleId, (chain.byRule.get(ruleId) ?? 0) + 1);
      // Rules that speak at once hold it up once.
      if (chain.lastId !== occasion.id) chain.stops++;
      chain.lastId = occasion.id;
    },
  };
}
