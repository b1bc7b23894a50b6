import type { IndexDb } from "./index-db.ts";

/** About how many documents have a term. Counted once, and counted again later. */
export interface WordCounts {
  documents(): number;
  lastDoc(): number;
  of(expression: string): number;
  /** So many documents came or went. */
  changed(by: number): void;
}

export function createWordCounts(db: IndexDb): WordCounts {
  const known = new Map<string, number>();
  let size: { readonly documents: number; readonly lastDoc: number } | null = null;
  let changes = 0;
  const sizes = () => {
    size ??= db
      .sql('SELECT count(*) AS documents, coalesce(max(doc), 0) AS "lastDoc" FROM docs')
      .get() as unknown as { documents: number; lastDoc: number };
    return size;
  };
  return {
    documents: () => sizes().documents,
    lastDoc: () => sizes().lastDoc,
    of(expression) {
      const counted = known.get(expression);
      if (counted !== undefined) return counted;
      const count = countTerm(db, expression, sizes().lastDoc);
      if (known.size >= MOST_KNOWN) known.clear();
      // Rare ones are counted each time: it costs nothing, and the first document that has one is found.
      if (count >= FREQUENT) known.set(expression, count);
      return count;
    },
    changed(by) {
      changes += by;
      if (size !== null && changes <= size.documents / 20) return;
      changes = 0;
      size = null;
      known.clear();
    },
  };
}

const EXACT = 2_000;
const FREQUENT = 1_000;
const MOST_KNOWN = 20_000;

/**
 * Exactly while it is rare; else by how soon so many were found. The oldest are gone through: to the newest FTS5 would
 * go through all before them (65 ms for a word that half of a million documents have, in place of 1).
 */
function countTerm(db: IndexDb, expression: string, lastDoc: number): number {
  const found = db
    .sql(
      `SELECT count(*) AS n, max(doc) AS last FROM
         (SELECT rowid AS doc FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?)`,
    )
    .get(expression, EXACT)!;
  const count = Number(found["n"]);
  if (count < EXACT) return count;
  return Math.max(EXACT, Math.round((EXACT * lastDoc) / Number(found["last"])));
}
