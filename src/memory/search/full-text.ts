import { FILTER_COLUMNS } from "./columns.ts";
import type { IndexDb } from "./index-db.ts";
import type { SearchQuery } from "./parse-query.ts";
import { planWords, type TermCount } from "./plan-words.ts";
import { facetToken } from "./put-document.ts";
import type { ResolvedFilter } from "./resolve-filter.ts";
import type { WordCounts } from "./word-counts.ts";

export interface WordHit {
  readonly doc: number;
  /** The share of the query that its words match, 0 to 1. */
  readonly score: number;
  readonly hasPhrases: boolean;
}

export interface WordSearchOptions {
  readonly limit: number;
  /** For benchmarks: every term may find documents, however many contain it. */
  readonly isUncapped?: boolean;
  /** Only the rarest terms, for a caller with a short deadline. */
  readonly mostTerms?: number;
}

/** Best documents by `bm25`: title and paths weigh more than the body, and that more than the raw text. */
export function searchWords(
  db: IndexDb,
  counts: WordCounts,
  query: SearchQuery,
  filter: ResolvedFilter,
  { limit, isUncapped = false, mostTerms = Number.POSITIVE_INFINITY }: WordSearchOptions,
): WordHit[] {
  const facets = facetGroups(filter).map((group) => ({
    expression: group.map((token) => `"${token}"`).join(" OR "),
    ids: group,
  }));
  // A facet that most documents have does not narrow: checking their rows is cheaper.
  const total = Math.max(1, counts.documents());
  const narrow = facets.filter(({ expression }) => counts.of(expression) <= total / 4);
  const passingShare = Math.min(1, ...narrow.map(({ expression }) => counts.of(expression) / total));
  const terms = rarestTerms(termsOf(query, counts), mostTerms);
  if (terms.every(({ documents }) => documents === 0)) return [];
  const plan = planWords(terms, { total, share: passingShare, isUncapped });
  const within = narrow.map(({ expression }) => ` AND (${expression})`).join("");
  const conditions = rowConditions(filter);
  const run = (expression: string, from: number): WordHit[] =>
    db
      .sql(
        `SELECT words.rowid AS doc, -bm25(words, ${WEIGHTS}) AS score FROM words
           ${conditions.sql === "" ? "" : "CROSS JOIN docs d ON d.doc = words.rowid"}
           WHERE words MATCH ? AND words.rowid > ?${conditions.sql} ORDER BY score DESC LIMIT ?`,
      )
      .all(`(${expression})${within}`, from, ...conditions.values, limit)
      .map((row) => ({
        doc: row["doc"] as number,
        score: Math.min(1, (row["score"] as number) / plan.maxScore),
        hasPhrases: false,
      }));
  const from = plan.newestShare === null ? 0 : Math.max(0, counts.lastDoc() * (1 - plan.newestShare));
  const hits = run(plan.expression, from);
  if (query.phrases.length === 0) return hits;
  const phraseMatches = run(query.phrases.map((phrase) => `(${phrase})`).join(" AND "), 0);
  return withPhrases(hits, phraseMatches);
}

/** title, body, paths, raw, facets. Filter tokens match but do not score. */
const WEIGHTS = "2.0, 1.0, 1.5, 0.5, 0.0";

function termsOf(query: SearchQuery, counts: WordCounts): TermCount[] {
  const terms = query.terms.map((expression) => ({ expression, documents: counts.of(expression) }));
  // The last word may be incomplete: if no document contains it, search for it as a prefix.
  const last = query.prefix === null ? null : query.prefix.slice(0, -2);
  return terms.map((term) =>
    term.expression === last && term.documents === 0
      ? { expression: query.prefix!, documents: counts.of(query.prefix!) }
      : term,
  );
}

function rarestTerms(terms: TermCount[], maxTerms: number): TermCount[] {
  if (terms.length <= maxTerms) return terms;
  const found = terms.filter(({ documents }) => documents > 0);
  return found.toSorted((a, b) => a.documents - b.documents).slice(0, maxTerms);
}

function facetGroups(filter: ResolvedFilter): string[][] {
  const groups = FILTER_COLUMNS.flatMap((column) => {
    const ids = filter.equal[column];
    return ids === undefined || ids.length > MAX_FACETS ? [] : [ids.map((id) => facetToken(column, id))];
  });
  const files = filter.files ?? [];
  if (files.length > 0 && files.length <= MAX_FACETS) groups.push(files.map((id) => facetToken("file", id)));
  return groups;
}

const MAX_FACETS = 40;

/** SQL conditions on `docs d`, for filters that facets cannot express or only at a higher cost. */
export function rowConditions(filter: ResolvedFilter): {
  readonly sql: string;
  readonly values: (string | number)[];
} {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, value: string | number): void => {
    parts.push(` AND ${sql}`);
    values.push(value);
  };
  for (const column of FILTER_COLUMNS) {
    const ids = filter.equal[column];
    if (ids === undefined) continue;
    if (ids.length === 1) add(`d.${column} = ?`, ids[0]!);
    else add(`d.${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(ids));
  }
  if (filter.sinceMs !== undefined) add("d.created_ms >= ?", filter.sinceMs);
  if (filter.untilMs !== undefined) add("d.created_ms <= ?", filter.untilMs);
  if (filter.only !== undefined)
    add("d.doc IN (SELECT value FROM json_each(?))", JSON.stringify(filter.only));
  if (filter.except !== undefined)
    add("d.doc NOT IN (SELECT value FROM json_each(?))", JSON.stringify(filter.except));
  return { sql: parts.join(""), values };
}

function withPhrases(hits: readonly WordHit[], phraseMatches: readonly WordHit[]): WordHit[] {
  const phraseHits = new Map(phraseMatches.map((hit) => [hit.doc, hit]));
  const foundDocs = new Set(hits.map((hit) => hit.doc));
  return [
    ...hits.map((hit) => ({ ...hit, hasPhrases: phraseHits.has(hit.doc) })),
    ...phraseMatches.filter((hit) => !foundDocs.has(hit.doc)).map((hit) => ({ ...hit, hasPhrases: true })),
  ];
}
