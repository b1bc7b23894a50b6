const LIMIT = 3;
const WITHIN_MS = 60_000;
const PAUSE_MS = 600_000;

/** Crashes since the last success, and until when starting is blocked. All times use one clock. */
export interface CrashCount {
  readonly atMs: readonly number[];
  readonly blockedUntilMs: number;
  readonly why: string;
}

export const NO_CRASHES: CrashCount = { atMs: [], blockedUntilMs: Number.NEGATIVE_INFINITY, why: "" };

/** Three crashes within a minute block starting for ten minutes. */
export function countCrash(count: CrashCount, nowMs: number, why: string): CrashCount {
  const atMs = [...count.atMs.filter((at) => nowMs - at < WITHIN_MS), nowMs];
  return atMs.length < LIMIT ? { ...count, atMs, why } : { atMs: [], blockedUntilMs: nowMs + PAUSE_MS, why };
}

/** The message shown while starting is blocked; null: not blocked. */
export function describeBlock(count: CrashCount, nowMs: number): string | null {
  if (nowMs >= count.blockedUntilMs) return null;
  const minutes = Math.ceil((count.blockedUntilMs - nowMs) / 60_000);
  return `the embedder failed ${LIMIT} times in a row (${count.why}); it is tried again in ${minutes} min`;
}
