import { type SpoolFile, spoolKey } from "../spool/read-spool.ts";

/** Which spool files stay incomplete for good: their hook was cut off. */
export interface TornFiles {
  isTorn(file: SpoolFile): boolean;
  /** No file is incomplete any more. */
  clear(): void;
}

export interface TornFilesOptions {
  /** Milliseconds that only go forward. */
  readonly monotonicMs: () => number;
  readonly nowMs: () => number;
}

/** A file that does not parse after this long never will. */
const TORN_MS = 60_000;
/** A machine that slept, or a clock that leapt, makes a file old while its hook still writes: it has this long. */
const GRACE_MS = 2_000;
const ABANDONED_MS = 24 * 3_600_000;

export function createTornFiles({ monotonicMs, nowMs }: TornFilesOptions): TornFiles {
  const firstSeen = new Map<string, number>();
  return {
    isTorn(file) {
      const key = spoolKey(file);
      const seen = firstSeen.get(key) ?? monotonicMs();
      firstSeen.set(key, seen);
      const watchedMs = monotonicMs() - seen;
      // The file's own age for one left by an earlier run, our own clock for one whose time lies in the future.
      const ageMs = nowMs() - Number(file.timeNs / 1_000_000n);
      return watchedMs > TORN_MS || (ageMs > TORN_MS && watchedMs > GRACE_MS) || ageMs > ABANDONED_MS;
    },
    clear: () => firstSeen.clear(),
  };
}
