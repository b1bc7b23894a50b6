import { type SpoolFile, spoolKey } from "../spool/read-spool.ts";

/** Detects spool files that stay incomplete forever because their hook was interrupted. */
export interface TornFiles {
  isTorn(file: SpoolFile): boolean;
  /** Call when no file is incomplete any more. */
  clear(): void;
}

export interface TornFilesOptions {
  /** A monotonic clock. */
  readonly monotonicMs: () => number;
  readonly nowMs: () => number;
}

/** A file that is still incomplete after this long never will be complete. */
const TORN_MS = 60_000;
/** Suspend or a clock jump makes a file look old while its hook still writes; this is its grace period. */
const GRACE_MS = 2_000;
const ABANDONED_MS = 24 * 3_600_000;

export function createTornFiles({ monotonicMs, nowMs }: TornFilesOptions): TornFiles {
  const firstSeen = new Map<string, number>();
  return {
    isTorn(file) {
      const key = spoolKey(file);
      const firstSeenMs = firstSeen.get(key) ?? monotonicMs();
      firstSeen.set(key, firstSeenMs);
      const watchedMs = monotonicMs() - firstSeenMs;
      // The file's own age for one left by an earlier run, our own clock for one dated in the future.
      const ageMs = nowMs() - Number(file.timeNs / 1_000_000n);
      return watchedMs > TORN_MS || (ageMs > TORN_MS && watchedMs > GRACE_MS) || ageMs > ABANDONED_MS;
    },
    clear: () => firstSeen.clear(),
  };
}
