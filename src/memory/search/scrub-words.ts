import { setImmediate as breathe } from "node:timers/promises";
import type { IndexDb } from "./index-db.ts";
import { dropUnusedNames } from "./index-names.ts";

/**
 * Removes all traces of deleted text from the file. FTS5 only marks the words of a deleted document until it
 * rewrites its lists: this rewrites all of them, in steps between which searches are answered.
 */
export async function scrubWords(db: IndexDb, isStopped: () => boolean): Promise<void> {
  db.transaction(() => dropUnusedNames(db));
  for (let pages = -MERGE_PAGES; !isStopped(); pages = MERGE_PAGES) {
    const before = totalChanges(db);
    db.sql("INSERT INTO words (words, rank) VALUES ('merge', ?)").run(pages);
    if (totalChanges(db) - before < 2) break;
    await breathe();
  }
  if (!isStopped()) db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Pages merged per step, which takes about 20 ms. */
const MERGE_PAGES = 500;

function totalChanges(db: IndexDb): number {
  return Number(db.sql("SELECT total_changes() AS n").get()!["n"]);
}
