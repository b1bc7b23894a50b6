import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface HeapReleaser {
  /** After memory-intensive work: releases the heap once there has been no more for a while. */
  releaseSoon(): void;
  close(): void;
}

type Gc = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

const QUIET_BEFORE_RELEASE_MS = 1_500;
/** A daemon that is never idle is collected periodically above this size, which takes about 50 ms. */
const LARGE_RSS_BYTES = 150 * 1024 * 1024;
const CHECK_INTERVAL_MS = 20_000;
/** Don't retry soon when most of the heap is in use rather than garbage. */
const BACKOFF_MS = 60_000;
const MIN_FREED_RATIO = 0.97;

/**
 * An idle process retains the heap of its busiest moment, because without new work nothing collects it.
 * Measured after a backlog of 20,000 files: 309 MB without, 176 MB after a last-resort collection.
 */
export function createHeapReleaser(quietMs = QUIET_BEFORE_RELEASE_MS): HeapReleaser {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as Gc;
  let timer: NodeJS.Timeout | null = null;
  let backoffUntilMs = 0;
  const collect = (): void => gc({ type: "major", execution: "sync", flavor: "last-resort" });
  // V8 retains freed pages: under steady load they add up to more than what is in use.
  const checkTimer = setInterval(() => {
    const rssBefore = process.memoryUsage.rss();
    if (rssBefore < LARGE_RSS_BYTES || performance.now() < backoffUntilMs) return;
    collect();
    if (process.memoryUsage.rss() > rssBefore * MIN_FREED_RATIO)
      backoffUntilMs = performance.now() + BACKOFF_MS;
  }, CHECK_INTERVAL_MS).unref();
  return {
    releaseSoon() {
      if (timer !== null) timer.refresh();
      else {
        timer = setTimeout(() => {
          timer = null;
          collect();
        }, quietMs);
        timer.unref();
      }
    },
    close() {
      clearInterval(checkTimer);
      if (timer !== null) clearTimeout(timer);
    },
  };
}
