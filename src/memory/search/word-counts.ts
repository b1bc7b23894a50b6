import type { IndexDb } from "./index-db.ts";

/** Approximate number of documents per term. Cached, and recounted after enough changes. */
export interface WordCounts {
  documents(): number;
  lastDoc(): number;
  of(expression: string): number;
  /** Reports that this many documents were added or removed. */
  changed(count: number): void;
}

export function createWordCounts(db: IndexDb): WordCounts {
  const cache = new Map<string, number>();
  let cachedSize: { readonly documents: number; readonly lastDoc: number } | null = null;
  let changes = 0;
  const readSize = () => {
    cachedSize ??= db
      .sql('SELECT count(*) AS documents, coalesce(max(doc), 0) AS "lastDoc" FROM docs')
      .get() as unknown as { documents: number; lastDoc: number };
    return cachedSize;
  };
  return {
    documents: () => readSize().documents,
    lastDoc: () => readSize().lastDoc,
    of(expression) {
      const cachedCount = cache.get(expression);
      if (cachedCount !== undefined) return cachedCount;
      const count = countTerm(db, expression, readSize().lastDoc);
      if (cache.size >= MAX_CACHED_TERMS) cache.clear();
      // Rare terms are not cached: counting is cheap, and the first document with a new term is found.
      if (count >= MIN_CACHED_COUNT) cache.set(expression, count);
      return count;
    },
    changed(by) {
      changes += by;
      if (cachedSize !== null && changes <= cachedSize.documents / 20) return;
      changes = 0;
      cachedSize = null;
      cache.clear();
    },
  };
}

const EXACT_LIMIT = 2_000;
const MIN_CACHED_COUNT = 1_000;
const MAX_CACHED_TERMS = 20_000;

/**
 * Exact while rare; else estimated from how soon enough matches were found. Scans the oldest: for the newest,
 * FTS5 would scan all before them (65 ms instead of 1 for a word in half of a million documents).
 */
function countTerm(db: IndexDb, expression: string, lastDoc: number): number {
  const found = db
    .sql(
      `SELECT count(*) AS n, max(doc) AS last FROM
         (SELECT rowid AS doc FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?)`,
    )
    .get(expression, EXACT_LIMIT)!;
  const count = Number(found["n"]);
  if (count < EXACT_LIMIT) return count;
  return Math.max(EXACT_LIMIT, Math.round((EXACT_LIMIT * lastDoc) / Number(found["last"])));
}
