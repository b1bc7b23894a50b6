import type { DatabaseSync } from "node:sqlite";

/**
 * In KB. Batches use a larger cache, because indexes over random ids touch most of their pages in every
 * large batch.
 */
export const DEFAULT_CACHE_KB = 4_000;
const BATCH_CACHE_KB = 48_000;
const LARGE_BATCH_LINES = 1_500;
const QUIET_MS = 5_000;

export interface BatchCache {
  /** Call before a batch of this many lines. */
  prepareFor(lines: number): void;
  close(): void;
}

/** Enlarges the page cache only while an import, a rebuild or a backlog is applied. */
export function createBatchCache(raw: DatabaseSync): BatchCache {
  let timer: NodeJS.Timeout | undefined;

  const shrink = (): void => {
    timer = undefined;
    if (!raw.isOpen) return;
    raw.exec(`PRAGMA cache_size = -${DEFAULT_CACHE_KB}`);
    raw.exec("PRAGMA shrink_memory");
  };

  return {
    prepareFor(lines) {
      if (lines < LARGE_BATCH_LINES) return;
      if (timer === undefined) {
        raw.exec(`PRAGMA cache_size = -${BATCH_CACHE_KB}`);
        timer = setTimeout(shrink, QUIET_MS).unref();
      } else timer.refresh();
    },
    close: () => clearTimeout(timer),
  };
}
