import { existsSync, statSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import type { ItemChanges } from "../../store/item-changes.ts";
import { sqliteTrouble } from "../../store/sqlite/database.ts";
import type { Embedder, OpenedEmbedder } from "../embed/embedder.ts";
import type { SearchAnswer } from "../memory-contract.ts";
import { type Columns, createColumns } from "./columns.ts";
import { embedBatch, expectModel } from "./embed-outbox.ts";
import { countWaiting, followStep } from "./follow-changes.ts";
import { openIndexDb, removeIndexFiles } from "./index-db.ts";
import { applyToColumns, loadColumns } from "./load-columns.ts";
import type { MemoryIndex, SearchRequest } from "./memory-index.ts";
import { readsCjk } from "./probe-model.ts";
import { scrubWords } from "./scrub-words.ts";
import { type SearchTuning, searchIndex, type VectorState } from "./search.ts";
import { createWordCounts } from "./word-counts.ts";

export interface LocalIndexOptions {
  /** Is closed with the index. */
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

/** The index in this thread. Everything that takes long is done in slices, and searches are answered in between. */
export function openLocalIndex(options: LocalIndexOptions): LocalIndex {
  const { nowMs = () => performance.now() } = options;
  const embedder: Embedder | null = options.embedder.type === "ready" ? options.embedder.embedder : null;
  const { source } = options;
  let db = openIndexDb(options.path);
  let counts = createWordCounts(db);
  let columns: Columns | null = null;
  let isLoaded = false;
  let isForeign = true;
  let isBehind = true;
  let isClosed = false;
  let note: string | null = options.embedder.type === "none" ? options.embedder.why : null;
  let working: Promise<void> | null = null;
  let following: Promise<boolean> = Promise.resolve(true);
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  /** One step at a time: two would take in the same changes. */
  function follow(items: number, ms: number, isLast = false): Promise<boolean> {
    const step = following.then(async () => {
      const { changes, isCaughtUp } = await followStep(db, source, { items, ms, now: nowMs, isLast });
      if (columns !== null) applyToColumns(db, columns, changes);
      counts.changed(changes.length);
      return isCaughtUp;
    });
    following = step.catch(() => true);
    return step;
  }

  async function followAll(isLast = false): Promise<void> {
    isBehind = false;
    // Many small transactions cost a large backlog twice the time of few large ones.
    const sliceMs = (await countWaiting(db, source)) > BACKLOG ? BACKLOG_SLICE_MS : SLICE_MS;
    while (!isClosed && !(await follow(SLICE_ITEMS, sliceMs, isLast))) await breathe();
  }

  async function embedAll(model: Embedder): Promise<void> {
    const id = expectModel(db, model.name);
    if (!isLoaded) {
      columns = await loadColumns(db, id, () => isClosed);
      isLoaded = true;
    }
    isForeign = !(await readsCjk(db, id, model));
    while (!isClosed && db.sql("SELECT 1 FROM to_embed LIMIT 1").get() !== undefined) {
      const { done } = await embedBatch(db, source, model, BATCH);
      if (isClosed) return;
      for (const { doc, code } of done) {
        if (columns === null || columns.words !== code.length) columns = createColumns(code.length);
        applyToColumns(db, columns, [{ type: "put", doc, isVectorStale: false }]);
        columns.setCode(doc, code);
      }
      failures = 0;
      note = null;
      if (isBehind) await followAll();
    }
  }

  /** Until nothing is left to do, or it cannot be done now. */
  async function work(): Promise<void> {
    try {
      do {
        await followAll();
        if (embedder !== null) await embedAll(embedder);
      } while (isBehind && !isClosed);
    } catch (error) {
      if (isClosed) return;
      note = (error as Error).message;
      if (sqliteTrouble(error) === "corrupt") startAnew();
      failures++;
      retry = setTimeout(changed, Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures));
      retry.unref();
    }
  }

  function startAnew(): void {
    db.close();
    removeIndexFiles(options.path);
    db = openIndexDb(options.path);
    counts = createWordCounts(db);
    columns = null;
    isLoaded = false;
  }

  function changed(): void {
    isBehind = true;
    if (isClosed || working !== null) return;
    clearTimeout(retry);
    working = work().finally(() => {
      working = null;
    });
  }

  async function settle(): Promise<void> {
    changed();
    while (working !== null) await working;
  }

  function vectorState(): VectorState {
    if (embedder === null) return { type: "none", why: `full text only: ${note ?? "no embedder"}` };
    const trouble = embedder.trouble();
    if (trouble !== null) return { type: "none", why: trouble };
    if (!isLoaded) return { type: "none", why: "the vectors are being loaded" };
    if (columns === null) return { type: "none", why: "nothing is embedded yet" };
    return { type: "ready", columns, embedder, isForeign };
  }

  async function search(request: SearchRequest, tuning?: SearchTuning): Promise<SearchAnswer> {
    try {
      // What was just made is found; more than a little of it waits for its turn.
      if (isBehind || working !== null) await follow(20, 10);
      return await searchIndex({ db, source, counts, vectors: vectorState() }, request, tuning);
    } catch (error) {
      if (sqliteTrouble(error) !== "corrupt") throw error;
      startAnew();
      changed();
      return { hits: [], mode: "full_text", note: "the index was broken and is being made again", tookMs: 0 };
    }
  }

  changed();
  return {
    search,
    changed,
    settle,
    warm: () => embedder?.warm(),
    async status() {
      const count = (sql: string): number => Number(db.sql(sql).get()!["n"]);
      const unembedded = count("SELECT count(*) AS n FROM to_embed");
      const items = count("SELECT count(*) AS n FROM docs");
      return {
        items,
        waiting: await countWaiting(db, source),
        embedded: items - unembedded,
        unembedded,
        embedder: embedder?.name ?? null,
        note: embedder?.trouble() ?? note,
        bytes: sizeOf(options.path),
      };
    },
    async scrub() {
      await followAll(true);
      await scrubWords(db, () => isClosed);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      // A batch that is being embedded is not waited for.
      await embedder?.close();
      await working;
      await following;
      db.close();
      await source.close();
    },
  };
}

/** A slice keeps a search waiting no longer than this. */
const SLICE_ITEMS = 200;
const SLICE_MS = 15;
const BACKLOG = 2_000;
const BACKLOG_SLICE_MS = 60;
const BATCH = 32;
const LONGEST_WAIT_MS = 60_000;

function sizeOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
}
