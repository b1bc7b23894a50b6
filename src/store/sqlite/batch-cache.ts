import type { DatabaseSync } from "node:sqlite";

/** In KB, as SQLite wants them. Indexes over random ids touch most of their pages in every large batch. */
export const USUAL_KB = 4_000;
const LARGE_KB = 48_000;
const LARGE_BATCH = 1_500;
const QUIET_MS = 5_000;

export interface BatchCache {
  /** Before a batch of so many lines. */
  expect(lines: number): void;
  close(): void;
}

/** More of the database in memory while an import, a rebuild or a backlog goes in, and only then. */
export function createBatchCache(raw: DatabaseSync): BatchCache {
  let timer: NodeJS.Timeout | undefined;

  const narrow = (): void => {
    timer = undefined;
    if (!raw.isOpen) return;
    raw.exec(`PRAGMA cache_size = -${USUAL_KB}`);
    raw.exec("PRAGMA shrink_memory");
  };

  return {
    expect(lines) {
      if (lines < LARGE_BATCH) return;
      if (timer === undefined) {
        raw.exec(`PRAGMA cache_size = -${LARGE_KB}`);
        timer = setTimeout(narrow, QUIET_MS).unref();
      } else timer.refresh();
    },
    close: () => clearTimeout(timer),
  };
}
