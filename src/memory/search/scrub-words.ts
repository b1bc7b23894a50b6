import { setImmediate as breathe } from "node:timers/promises";
import type { IndexDb } from "./index-db.ts";
import { dropUnusedNames } from "./index-names.ts";

/**
 * Leaves nothing in the file of what was removed. FTS5 only strikes out the words of a removed document until it
 * writes its lists anew: here they are, all of them, in steps between which searches are answered.
 */
export async function scrubWords(db: IndexDb, isStopped: () => boolean): Promise<void> {
  db.transaction(() => dropUnusedNames(db));
  for (let pages = -PAGES; !isStopped(); pages = PAGES) {
    const before = totalChanges(db);
    db.sql("INSERT INTO words (words, rank) VALUES ('merge', ?)").run(pages);
    if (totalChanges(db) - before < 2) break;
    await breathe();
  }
  if (!isStopped()) db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** About 20 ms. */
const PAGES = 500;

function totalChanges(db: IndexDb): number {
  return Number(db.sql("SELECT total_changes() AS n").get()!["n"]);
}
