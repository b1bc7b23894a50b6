const LIMIT = 3;
const WITHIN_MS = 60_000;
const PAUSE_MS = 600_000;

/** Crashes since something last went well, and until when nothing is tried. Times are of one clock. */
export interface CrashCount {
  readonly atMs: readonly number[];
  readonly blockedUntilMs: number;
  readonly why: string;
}

export const NO_CRASHES: CrashCount = { atMs: [], blockedUntilMs: Number.NEGATIVE_INFINITY, why: "" };

/** Three in a row within a minute: nothing is tried for ten minutes. */
export function countCrash(count: CrashCount, nowMs: number, why: string): CrashCount {
  const atMs = [...count.atMs.filter((at) => nowMs - at < WITHIN_MS), nowMs];
  return atMs.length < LIMIT ? { ...count, atMs, why } : { atMs: [], blockedUntilMs: nowMs + PAUSE_MS, why };
}

/** What a person is told while nothing is tried; null: it may be tried. */
export function describeBlock(count: CrashCount, nowMs: number): string | null {
  if (nowMs >= count.blockedUntilMs) return null;
  const minutes = Math.ceil((count.blockedUntilMs - nowMs) / 60_000);
  return `the embedder failed ${LIMIT} times in a row (${count.why}); it is tried again in ${minutes} min`;
}
