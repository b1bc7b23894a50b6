import type { IndexDb } from "./index-db.ts";

/** About how many documents have a term. Counted once, among the newest if there are many, and counted again later. */
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

const SAMPLE = 50_000;
const FREQUENT = 1_000;
const MOST_KNOWN = 20_000;

/** Among the newest; a term that is rare there is counted among all, which costs little because it is rare. */
function countTerm(db: IndexDb, expression: string, lastDoc: number): number {
  const count = (from: number): number =>
    Number(
      db.sql("SELECT count(*) AS n FROM words WHERE words MATCH ? AND rowid > ?").get(expression, from)!["n"],
    );
  if (lastDoc <= 2 * SAMPLE) return count(0);
  const sampled = count(lastDoc - SAMPLE);
  return sampled < SAMPLE / 100 ? count(0) : Math.round((sampled * lastDoc) / SAMPLE);
}
