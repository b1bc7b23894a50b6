import type { ItemChanges } from "../../store/item-changes.ts";
import { type Columns, createColumns } from "./columns.ts";
import { followStep } from "./follow-changes.ts";
import { type IndexDb, openIndexDb, removeIndexFiles } from "./index-db.ts";
import { applyToColumns, loadColumns } from "./load-columns.ts";
import { createWordCounts, type WordCounts } from "./word-counts.ts";

/** The index: its file, and the part held in memory. Both are replaced when the file is corrupt. */
export interface IndexContents {
  readonly db: IndexDb;
  readonly counts: WordCounts;
  /** Null while nothing is embedded, or nothing is loaded yet. */
  readonly columns: Columns | null;
  readonly isLoaded: boolean;
  /** Applies the next changes. Returns true when none are left. */
  follow(limits: FollowLimits): Promise<boolean>;
  /** Loads the codes of a model; none must be loaded yet. */
  load(model: number, isStopped: () => boolean): Promise<void>;
  /** Adds codes that were just written to the file. */
  putCodes(codes: readonly { readonly doc: number; readonly code: Uint32Array }[]): void;
  /** Starts empty with a new file, once a running step has ended. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowLimits {
  readonly items: number;
  readonly ms: number;
  readonly isLast?: boolean;
}

export interface IndexContentsOptions {
  readonly source: ItemChanges;
  /** search.db */
  readonly path: string;
  /** Monotonic. */
  readonly nowMs: () => number;
}

export function openIndexContents({ source, path, nowMs }: IndexContentsOptions): IndexContents {
  let db = openIndexDb(path);
  let counts = createWordCounts(db);
  let columns: Columns | null = null;
  let isLoaded = false;
  let following: Promise<boolean> = Promise.resolve(true);

  return {
    get db() {
      return db;
    },
    get counts() {
      return counts;
    },
    get columns() {
      return columns;
    },
    get isLoaded() {
      return isLoaded;
    },
    follow(limits) {
      // One step at a time: two would apply the same changes.
      const step = following.then(async () => {
        const { changes, isCaughtUp } = await followStep(db, source, { ...limits, now: nowMs });
        if (columns !== null) applyToColumns(db, columns, changes);
        counts.changed(changes.length);
        return isCaughtUp;
      });
      following = step.catch(() => true);
      return step;
    },
    async load(model, isStopped) {
      columns = await loadColumns(db, model, isStopped);
      isLoaded = true;
    },
    putCodes(codes) {
      for (const { doc, code } of codes) {
        if (columns === null || columns.wordsPerCode !== code.length) columns = createColumns(code.length);
        applyToColumns(db, columns, [{ type: "put", doc, isVectorStale: false }]);
        columns.setCode(doc, code);
      }
    },
    reset() {
      const done = following.then(() => {
        db.close();
        removeIndexFiles(path);
        db = openIndexDb(path);
        counts = createWordCounts(db);
        columns = null;
        isLoaded = false;
      });
      following = done.then(
        () => true,
        () => true,
      );
      return done;
    },
    async close() {
      await following;
      db.close();
    },
  };
}
