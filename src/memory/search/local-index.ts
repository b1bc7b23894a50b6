import { existsSync, statSync } from "node:fs";
import type { ItemChanges } from "../../store/item-changes.ts";
import { sqliteErrorKind } from "../../store/sqlite/database.ts";
import type { Embedder, OpenedEmbedder } from "../embed/embedder.ts";
import type { SearchAnswer } from "../memory-contract.ts";
import { countWaiting } from "./follow-changes.ts";
import { type IndexContents, openIndexContents } from "./index-contents.ts";
import type { IndexDb } from "./index-db.ts";
import { createIndexWork, type IndexWork } from "./index-work.ts";
import type { MemoryIndex, SearchRequest } from "./memory-index.ts";
import { scrubWords } from "./scrub-words.ts";
import { type SearchTuning, searchIndex, type VectorState } from "./search.ts";

export interface LocalIndexOptions {
  /** Closed with the index. */
  readonly source: ItemChanges;
  /** search.db */
  readonly path: string;
  readonly embedder: OpenedEmbedder;
  /** Monotonic. */
  readonly nowMs?: () => number;
}

export interface LocalIndex extends MemoryIndex {
  search(request: SearchRequest, tuning?: SearchTuning): Promise<SearchAnswer>;
}

/** The index in this thread. Long operations run in slices, and searches are answered in between. */
export function openLocalIndex(options: LocalIndexOptions): LocalIndex {
  const { source, path, nowMs = () => performance.now() } = options;
  const embedder: Embedder | null = options.embedder.type === "ready" ? options.embedder.embedder : null;
  const note = options.embedder.type === "none" ? options.embedder.why : null;
  const contents = openIndexContents({ source, path, nowMs });
  const work = createIndexWork({ contents, source, embedder, note, onError: resetIfCorrupt });

  /** Returns whether it was corrupt. */
  async function resetIfCorrupt(error: unknown): Promise<boolean> {
    const isCorrupt = sqliteErrorKind(error) === "corrupt";
    if (isCorrupt) await contents.reset();
    return isCorrupt;
  }

  work.changed();
  return {
    async search(request, tuning) {
      try {
        // New items are found right away; more than a few wait for their turn.
        if (work.isBusy()) await contents.follow({ items: 20, ms: 10 });
        const { db, counts } = contents;
        const vectors = vectorState(embedder, contents, work);
        return await searchIndex({ db, source, counts, vectors }, request, tuning);
      } catch (error) {
        if (!(await resetIfCorrupt(error))) throw error;
        work.changed();
        return {
          hits: [],
          mode: "full_text",
          note: "the search index was damaged and is being rebuilt",
          tookMs: 0,
        };
      }
    },
    changed: work.changed,
    settle: work.settle,
    warm: () => embedder?.warm(),
    async status() {
      const { db } = contents;
      const unembedded = count(db, "to_embed");
      const items = count(db, "docs");
      return {
        items,
        waiting: await countWaiting(db, source),
        embedded: items - unembedded,
        unembedded,
        embedder: embedder?.name ?? null,
        note: embedder?.unavailableReason() ?? work.note(),
        bytes: sizeOf(path),
      };
    },
    async scrub() {
      await work.catchUp();
      await scrubWords(contents.db, work.isStopped);
    },
    async close() {
      work.stop();
      // Do not wait for a batch that is being embedded.
      await embedder?.close();
      await work.ended();
      await contents.close();
      await source.close();
    },
  };
}

function vectorState(embedder: Embedder | null, contents: IndexContents, work: IndexWork): VectorState {
  if (embedder === null) return { type: "none", why: `full text only: ${work.note() ?? "no embedder"}` };
  const unavailable = embedder.unavailableReason();
  if (unavailable !== null) return { type: "none", why: unavailable };
  const { columns, isLoaded } = contents;
  if (!isLoaded) return { type: "none", why: "embeddings are loading" };
  if (columns === null) return { type: "none", why: "no embeddings yet" };
  return { type: "ready", columns, embedder, isEnglishOnly: work.isEnglishOnly() };
}

function count(db: IndexDb, table: "docs" | "to_embed"): number {
  return Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()!["n"]);
}

function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
}
