import type { AgentResult, ModelTotals, Totals } from "./driven-input.ts";
import type { TokenUsage } from "./envelope.ts";

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
};

export interface TurnCost {
  /** Null if the agent's totals before the turn are unknown. */
  readonly costUsd: number | null;
  readonly usage: TokenUsage;
  readonly models: Readonly<Record<string, ModelTotals>>;
}

/**
 * The agent reports totals of the session, across resumes (a fork starts with its parent's), and restarts at
 * zero after /clear. So a turn's cost is the difference to the previous report, which includes subagents.
 */
export function turnCost(previous: Totals | null, { totals, mainLoopUsage }: AgentResult): TurnCost {
  if (previous === null) return { costUsd: null, usage: mainLoopUsage, models: {} };
  // The result of a failed start reports zeros.
  const hasRestarted = totals.costUsd + 1e-12 < previous.costUsd;
  const base = hasRestarted ? {} : previous.models;
  const models: Record<string, ModelTotals> = {};
  for (const [model, current] of Object.entries(totals.models)) {
    const used = difference(current, base[model]);
    if (Object.values(used).some((count) => count > 0)) models[model] = used;
  }
  const usage = Object.values(models).reduce<TokenUsage>(sumUsage, NO_USAGE);
  return { costUsd: totals.costUsd - (hasRestarted ? 0 : previous.costUsd), usage, models };
}

export function sumUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
  };
}

function difference(current: ModelTotals, previous: ModelTotals | undefined): ModelTotals {
  if (previous === undefined) return current;
  return {
    inputTokens: current.inputTokens - previous.inputTokens,
    outputTokens: current.outputTokens - previous.outputTokens,
    cacheReadInputTokens: current.cacheReadInputTokens - previous.cacheReadInputTokens,
    cacheCreationInputTokens: current.cacheCreationInputTokens - previous.cacheCreationInputTokens,
    costUsd: current.costUsd - previous.costUsd,
  };
}
