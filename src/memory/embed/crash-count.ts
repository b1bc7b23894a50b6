const MAX_CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
const BLOCK_MS = 600_000;

/** Crashes since the last success, and until when starting is blocked. All times use one clock. */
export interface CrashCount {
  readonly atMs: readonly number[];
  readonly blockedUntilMs: number;
  readonly why: string;
}

export const NO_CRASHES: CrashCount = { atMs: [], blockedUntilMs: Number.NEGATIVE_INFINITY, why: "" };

/** Three crashes within a minute block starting for ten minutes. */
export function countCrash(count: CrashCount, nowMs: number, why: string): CrashCount {
  const atMs = [...count.atMs.filter((at) => nowMs - at < CRASH_WINDOW_MS), nowMs];
  return atMs.length < MAX_CRASHES
    ? { ...count, atMs, why }
    : { atMs: [], blockedUntilMs: nowMs + BLOCK_MS, why };
}

/** The message shown while starting is blocked; null: not blocked. */
export function describeBlock(count: CrashCount, nowMs: number): string | null {
  if (nowMs >= count.blockedUntilMs) return null;
  const minutes = Math.ceil((count.blockedUntilMs - nowMs) / 60_000);
  return `the embedder failed ${MAX_CRASHES} times in a row (${count.why}); retrying in ${minutes} min`;
}
