import type { CountedUsage } from "../agents/usage-source.ts";
import type { UsageAmounts } from "../store/session-rows.ts";

/** The usage of one model in one hour of a session. */
export interface UsageShare {
  readonly sessionId: string;
  readonly hour: string;
  readonly projectPath: string | null;
  readonly model: string;
  readonly usage: CountedUsage;
  readonly micros: number | undefined;
}

/** A lower bound of each prompt's size, at most 100,000 below it. No price changes in that range. */
export function promptTokensOf({ size }: UsageAmounts): number {
  return size * 100_000 + 1;
}

export function usageOf(row: UsageAmounts): CountedUsage {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h, webSearches, speed, geo } = row;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, cacheWrite1h),
    webSearches,
    isFast: speed === "fast",
    isUsOnly: geo === "us",
  };
}
