import type { ItemChanges } from "../../store/item-changes.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { SearchAnswer } from "../memory-contract.ts";
import type { Columns } from "./columns.ts";
import { searchWords, type WordHit } from "./full-text.ts";
import { type Candidate, CJK_VECTOR_SHARE, fuse, VECTOR_SHARE } from "./fuse.ts";
import type { IndexDb } from "./index-db.ts";
import { findFiles } from "./index-names.ts";
import type { SearchRequest } from "./memory-index.ts";
import { newestDocs } from "./newest-docs.ts";
import { noiseFloor } from "./noise-floor.ts";
import { parseSearchQuery, type SearchQuery } from "./parse-query.ts";
import { cosine, toCode } from "./quantise.ts";
import { type ResolvedFilter, resolveFilter } from "./resolve-filter.ts";
import { scanCodes } from "./scan.ts";
import { toHits } from "./to-hits.ts";
import type { WordCounts } from "./word-counts.ts";

/** What a search reads from the index. */
export interface SearchSources {
  readonly db: IndexDb;
  readonly source: Pick<ItemChanges, "items">;
  readonly counts: WordCounts;
  readonly vectors: VectorState;
}

/** `isEnglishOnly`: the model does not distinguish Korean, Japanese or Chinese sentences. */
export type VectorState =
  | { readonly type: "none"; readonly why: string }
  | {
      readonly type: "ready";
      readonly columns: Columns;
      readonly embedder: Embedder;
      readonly isEnglishOnly: boolean;
    };

/** For measuring only. */
export interface SearchTuning {
  readonly isUncapped?: boolean;
}

export async function searchIndex(
  index: SearchSources,
  request: SearchRequest,
  tuning: SearchTuning = {},
): Promise<SearchAnswer> {
  const startedMs = performance.now();
  const filter = resolveFilter(index.db, request.filters, request.except);
  const query = parseSearchQuery(request.query);
  const answer = async (found: Found): Promise<SearchAnswer> => ({
    hits: filter === null ? [] : await toHits(index, request, found.ranked),
    mode: found.hasVectors ? "fused" : "full_text",
    note: found.note,
    tookMs: Math.round((performance.now() - startedMs) * 10) / 10,
  });
  if (filter === null)
    return answer({ ranked: [], hasVectors: false, note: "nothing matches these filters" });
  if (query.terms.length === 0) {
    const newest = newestDocs(index.db, filter, request.limit).map((doc) => ({
      doc,
      score: 0,
      hasPhrases: false,
    }));
    const note = "no search words: showing the newest items";
    return answer({ ranked: rank(index, request, query, newest, null, 0), hasVectors: false, note });
  }
  // The embedder runs in its own process while words are searched here.
  const vector = request.methods === "full_text" ? NO_VECTOR : embedQuery(index.vectors, request);
  const words =
    request.methods === "vector"
      ? []
      : searchWords(index.db, index.counts, query, filter, {
          limit: MAX_WORD_HITS,
          ...tuning,
          ...((request.deadlineMs ?? DEFAULT_DEADLINE_MS) < MIN_LOAD_MS && {
            mostTerms: MAX_TERMS_ON_DEADLINE,
          }),
        });
  const queryVector = await vector;
  if (queryVector.type === "none")
    return answer({
      ranked: rank(index, request, query, words, null, 0),
      hasVectors: false,
      note: queryVector.why,
    });
  const cosines = searchVectors(index.db, queryVector.columns, queryVector.vector, filter, words);
  const share = request.methods === "vector" ? 1 : vectorShareFor(query, queryVector.isEnglishOnly);
  if (words.length === 0 && request.methods !== "vector") await dropNoise(cosines, queryVector, query);
  const ranked = rank(index, request, query, words, cosines, share);
  return answer({ ranked, hasVectors: true, note: null });
}

/** If no text contains a word of the query, only clear vector matches count. */
async function dropNoise(
  cosines: Map<number, number>,
  { vector, embedder, isEnglishOnly }: QueryVector & { readonly type: "ready" },
  query: SearchQuery,
): Promise<void> {
  const cannotRead = isEnglishOnly && query.cjkShare >= 0.5;
  const minCosine = cannotRead ? Number.POSITIVE_INFINITY : await noiseFloor(embedder, vector);
  for (const [doc, cosine] of cosines) if (cosine < minCosine + ROUNDING_ERROR) cosines.delete(doc);
}

interface Found {
  readonly ranked: ReturnType<typeof fuse>;
  readonly hasVectors: boolean;
  readonly note: string | null;
}

type QueryVector =
  | { readonly type: "none"; readonly why: string | null }
  | {
      readonly type: "ready";
      readonly vector: Float32Array;
      readonly columns: Columns;
      readonly embedder: Embedder;
      readonly isEnglishOnly: boolean;
    };

const NO_VECTOR: Promise<QueryVector> = Promise.resolve({ type: "none", why: null });
const MAX_WORD_HITS = 150;
const MAX_VECTOR_HITS = 150;
/** A pasted text has dozens of terms that each cost time; the rarest say what it is about. */
const MAX_TERMS_ON_DEADLINE = 16;
/** Cosines are computed from byte vectors. */
const ROUNDING_ERROR = 0.01;
/** Below this, two texts are unrelated. */
const MIN_COSINE = 0.15;
const DEFAULT_DEADLINE_MS = 3_000;
/** From a cold start to the first vector, at best (docs/decisions/0014-local-embeddings.md). */
const MIN_LOAD_MS = 340;

async function embedQuery(state: VectorState, request: SearchRequest): Promise<QueryVector> {
  if (state.type === "none") return state;
  const { embedder, columns, isEnglishOnly } = state;
  if (columns.vectors === 0) return { type: "none", why: "no embeddings yet" };
  const wasWarm = embedder.isWarm();
  const deadlineMs = request.deadlineMs ?? DEFAULT_DEADLINE_MS;
  // It would not be ready in time: answer now without vectors, and the next query with them.
  if (!wasWarm && deadlineMs < MIN_LOAD_MS) {
    embedder.warm();
    return { type: "none", why: "the embedder is loading" };
  }
  const timeout = AbortSignal.timeout(deadlineMs);
  try {
    const embedding = embedder.embed([request.query], { signal: timeout });
    const [vector] = await Promise.race([embedding, rejectedBy(timeout)]);
    return { type: "ready", vector: vector!, columns, embedder, isEnglishOnly };
  } catch (error) {
    if (!timeout.aborted) return { type: "none", why: `no vectors: ${(error as Error).message}` };
    embedder.warm();
    return { type: "none", why: wasWarm ? "the embedder took too long" : "the embedder is loading" };
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

function vectorShareFor(query: SearchQuery, isEnglishOnly: boolean): number {
  // Names in another script do not make a sentence that the model understands.
  const unreadShare = isEnglishOnly ? Math.min(1, 2 * query.cjkShare) : 0;
  return VECTOR_SHARE * (1 - unreadShare) + CJK_VECTOR_SHARE * unreadShare;
}

/** The nearest by code, then by byte vector; and the cosines of the documents that words found. */
function searchVectors(
  db: IndexDb,
  columns: Columns,
  vector: Float32Array,
  filter: ResolvedFilter,
  words: readonly WordHit[],
): Map<number, number> {
  const candidateCount = columns.vectors > 300_000 ? 1000 : 300;
  const near = scanCodes(
    columns.codes,
    columns.size,
    columns.allowed(filter),
    toCode(vector),
    candidateCount,
  );
  const cosines = cosinesOf(db, vector, near);
  const best = [...cosines].sort((a, b) => b[1] - a[1]).slice(0, MAX_VECTOR_HITS);
  const selected = new Map(best.filter(([, cosine]) => cosine >= MIN_COSINE));
  const wordDocs = words.map(({ doc }) => doc).filter((doc) => !selected.has(doc));
  const scored = wordDocs.filter((doc) => cosines.has(doc));
  for (const doc of scored) selected.set(doc, cosines.get(doc)!);
  const unscored = wordDocs.filter((doc) => !cosines.has(doc) && columns.has(doc));
  for (const [doc, near] of cosinesOf(db, vector, unscored)) selected.set(doc, near);
  return selected;
}

function cosinesOf(db: IndexDb, vector: Float32Array, docs: readonly number[]): Map<number, number> {
  const rows = db
    .sql("SELECT doc, v FROM vectors WHERE doc IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(docs));
  return new Map(
    rows.map((row) => {
      const bytes = row["v"] as Uint8Array;
      const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return [row["doc"] as number, cosine(vector, signed)];
    }),
  );
}

function rank(
  index: SearchSources,
  request: SearchRequest,
  query: SearchQuery,
  words: readonly WordHit[],
  cosines: ReadonlyMap<number, number> | null,
  vectorShare: number,
): ReturnType<typeof fuse> {
  const byWords = new Map(words.map((hit) => [hit.doc, hit]));
  const docs = JSON.stringify([...new Set([...byWords.keys(), ...(cosines?.keys() ?? [])])]);
  const files = (request.files ?? []).flatMap((file) => findFiles(index.db, file));
  const sameFileDocs = new Set(
    index.db
      .sql(SAME_FILE_SQL)
      .all(JSON.stringify(files), docs)
      .map((row) => row["doc"]),
  );
  const candidates = index.db
    .sql("SELECT doc, created_ms, pinned FROM docs WHERE doc IN (SELECT value FROM json_each(?))")
    .all(docs)
    .map((row): Candidate => {
      const doc = row["doc"] as number;
      return {
        doc,
        wordScore: byWords.get(doc)?.score ?? null,
        cosine: cosines?.get(doc) ?? null,
        hasPhrases: byWords.get(doc)?.hasPhrases ?? false,
        createdMs: row["created_ms"] as number,
        isPinned: row["pinned"] === 1,
        isSameFile: sameFileDocs.has(doc),
      };
    });
  const matching = query.isStrict ? candidates.filter((candidate) => candidate.hasPhrases) : candidates;
  return fuse(matching, { vectorShare, nowMs: request.nowMs });
}

const SAME_FILE_SQL = `SELECT DISTINCT doc FROM doc_files WHERE file IN (SELECT value FROM json_each(?))
  AND doc IN (SELECT value FROM json_each(?))`;
