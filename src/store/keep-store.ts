import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "../app-error.ts";
import {
  DamagedPartError,
  type Log,
  type LogBatch,
  type LogPart,
  type RepairReport,
  type RestoreReport,
} from "../log/log.ts";
import { catchUp } from "./follow-log.ts";
import { sqliteTrouble } from "./sqlite/database.ts";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
import type { ApplyResult } from "./store.ts";

/** The one owner of the database file: keeps it level with the log, replaces it when it is broken or rebuilt. */
export interface StoreKeeper {
  readonly store: SqliteStore;
  /** Asks the store. One that turns out to be corrupt is made again soon after; the asker may ask again then. */
  use<T>(work: (store: SqliteStore) => T): T;
  /** Takes what is new in the log. One at a time; a call during another waits for one more round. */
  follow(): Promise<void>;
  rebuild(onProgress?: (done: number, total: number) => void): Promise<RebuildReport>;
  /** Reads the whole log and repairs what is damaged of it. Before work that rewrites it. */
  checkLog(): Promise<void>;
  /** Waits for what runs, then keeps the store still while `work` runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface RebuildReport {
  readonly events: number;
  readonly sessions: number;
}

export interface KeepStoreOptions extends SqliteStoreOptions {
  readonly path: string;
  readonly log: Log;
  readonly onApplied?: (result: ApplyResult, batch: LogBatch) => void;
  readonly onRestored?: (report: RestoreReport) => void;
  readonly onRepaired?: (report: RepairReport) => void;
  /** Makes in a rebuilt database what is not told by the log but made of it, before it takes the other's place. */
  readonly prepare?: (store: SqliteStore) => Promise<void>;
  readonly onNotice: (message: string) => void;
  /** For the name of a database that is set aside. */
  readonly nowMs: () => number;
}

const ASIDE_MS = 7 * 24 * 3_600_000;
const BUSY_MS = [20, 50, 100, 250, 500, 1_000];

export async function keepStore(options: KeepStoreOptions): Promise<StoreKeeper> {
  const { log, onApplied } = options;
  removeDatabase(`${options.path}.rebuild`);
  sweepAside(options);
  let store = openOrReplace(options);
  let isClosed = false;
  let isCorrupt = false;
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  /** Each part once in a row: one that is damaged right after it was repaired is a fault of ours. */
  const repaired = new Set<LogPart>();
  const repairOrThrow = async (error: unknown): Promise<void> => {
    if (!(error instanceof DamagedPartError) || repaired.has(error.part)) throw error;
    repaired.add(error.part);
    const report = await log.repair(error.part, store.position(), store);
    if (report !== null) options.onRepaired?.(report);
  };

  const followOnce = async (): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      if (isClosed) return;
      try {
        if (isCorrupt) replaceStore();
        const restored = await log.restore(store.position(), store);
        if (restored !== null) options.onRestored?.(restored);
        await catchUp(log, store, { onApplied, from: restored?.from, live: true });
        repaired.clear();
        return;
      } catch (error) {
        const trouble = sqliteTrouble(error);
        if (trouble === "corrupt") isCorrupt = true;
        else if (trouble === "busy" || trouble === "full") {
          if (attempt % 20 === 5)
            options.onNotice(`the database is ${trouble}: ${(error as Error).message}; trying on`);
          await new Promise((resolve) => setTimeout(resolve, BUSY_MS[Math.min(attempt, BUSY_MS.length - 1)]));
        } else await repairOrThrow(error);
      }
    }
  };

  const replaceStore = (): void => {
    store.close();
    setAside(options, "is corrupt");
    store = openOrReplace(options);
    isCorrupt = false;
  };

  const follow = (): Promise<void> => {
    // One round that has not begun yet is enough for all who ask until it does.
    waiting ??= alone(async () => {
      waiting = null;
      await followOnce();
    });
    return waiting;
  };

  const noticeCorrupt = (error: unknown): void => {
    if (sqliteTrouble(error) !== "corrupt" || isCorrupt) return;
    isCorrupt = true;
    follow().catch((failure) => options.onNotice(`making the database again failed: ${failure}`));
  };
  const use = <T>(work: (store: SqliteStore) => T): T => {
    try {
      const result = work(store);
      if (result instanceof Promise) result.catch(noticeCorrupt);
      return result;
    } catch (error) {
      noticeCorrupt(error);
      throw error;
    }
  };

  /** A damaged part must not end rebuilds for good: it is repaired from the living store, then all is read anew. */
  const rebuild: StoreKeeper["rebuild"] = async (onProgress = () => undefined) => {
    for (;;) {
      try {
        return await rebuildOnce(onProgress);
      } catch (error) {
        await alone(() => repairOrThrow(error));
      }
    }
  };

  const rebuildOnce = async (onProgress: (done: number, total: number) => void): Promise<RebuildReport> => {
    const path = `${options.path}.rebuild`;
    // Level and sound first: a broken database is made again by this alone, a broken log is mended from it.
    await follow();
    removeDatabase(path);
    const fresh = openSqliteStore(path, options);
    const total = countEvents(store);
    let done = 0;
    const count = (result: ApplyResult): void => {
      done += result.events;
      onProgress(done, total);
    };
    try {
      // The long part runs beside the living store; only the last step stands alone.
      await catchUp(log, fresh, { onApplied: count });
      await options.prepare?.(fresh);
      return await alone(async () => {
        await followOnce();
        await catchUp(log, fresh, { onApplied: count });
        await options.prepare?.(fresh);
        takeOver(store, fresh);
        const { events, sessions } = fresh.summary();
        fresh.close();
        store.close();
        for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
        renameSync(path, options.path);
        store = openSqliteStore(options.path, options);
        return { events, sessions };
      });
    } catch (error) {
      if (fresh.db.raw.isOpen) fresh.close();
      removeDatabase(path);
      throw error;
    }
  };

  return {
    get store() {
      return store;
    },
    use,
    follow,
    rebuild,
    alone,
    async checkLog() {
      for (const part of await log.damagedParts())
        await alone(() => repairOrThrow(new DamagedPartError(part, log.name)));
      await follow();
    },
    async close() {
      isClosed = true;
      await last;
      store.close();
    },
  };
}

function openOrReplace(options: KeepStoreOptions): SqliteStore {
  try {
    const store = openSqliteStore(options.path, options);
    // Reads the cursor: a file that is no database says so here.
    store.position();
    return store;
  } catch (error) {
    if (sqliteTrouble(error) !== "corrupt") throw error;
    setAside(options, "is corrupt");
    return openSqliteStore(options.path, options);
  }
}

function countEvents(store: SqliteStore): number {
  try {
    return store.summary().events;
  } catch {
    return 0;
  }
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}

function setAside(options: KeepStoreOptions, why: string): void {
  const aside = `${options.path}.corrupt-${options.nowMs()}`;
  renameSync(options.path, aside);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
  options.onNotice(`the database ${why}: set aside as ${aside}, made again from the log`);
}

/** What was set aside holds what people may want to be rid of: it goes like everything else that is set aside. */
function sweepAside(options: KeepStoreOptions): void {
  const prefix = `${basename(options.path)}.corrupt-`;
  for (const name of readdirSync(dirname(options.path))) {
    if (!name.startsWith(prefix)) continue;
    const ageMs = options.nowMs() - Number(name.slice(prefix.length));
    if (ageMs > ASIDE_MS) rmSync(join(dirname(options.path), name), { force: true });
  }
}

/** A database with a broken page that nobody has read yet must not keep us from making it again. */
function takeOver(old: SqliteStore, fresh: SqliteStore): void {
  try {
    checkRebuilt(fresh, old);
    carryOver(old, fresh);
  } catch (error) {
    if (sqliteTrouble(error) !== "corrupt") throw error;
  }
}

function checkRebuilt(fresh: SqliteStore, old: SqliteStore): void {
  const check = fresh.db.sql("PRAGMA quick_check").get()?.["quick_check"];
  if (check !== "ok")
    throw new AppError("rebuild_failed", `the rebuilt database is not sound: ${String(check)}`);
  const [now, before] = [fresh.summary(), old.summary()];
  if (now.events + now.refused < before.events) {
    throw new AppError(
      "rebuild_incomplete",
      `the log tells of ${now.events} events, the database of ${before.events}: the database is kept as it is`,
    );
  }
}

/** What the log does not know: how far foreign streams are read, what is being removed, what a model was asked and cost. */
function carryOver(from: SqliteStore, to: SqliteStore): void {
  for (const row of from.db
    .sql("SELECT stream_key FROM lifecycle_stream_offsets WHERE stream_key <> 'hookline'")
    .all()) {
    const key = row["stream_key"] as string;
    to.saveStreamOffset(key, from.streamOffset(key)!);
  }
  for (const sessionId of from.removals()) to.askRemoval(sessionId, new Date(0).toISOString());
  // Those that are done too: what a model had nothing to say of is not asked again.
  for (const table of ["memory_jobs", "memory_spend"]) carryTable(from, to, table);
}

function carryTable(from: SqliteStore, to: SqliteStore, table: string): void {
  to.db.transaction(() => {
    for (const row of from.db.sql(`SELECT * FROM ${table}`).all()) {
      const columns = Object.keys(row);
      const marks = columns.map(() => "?").join(", ");
      to.db
        .sql(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks}) ON CONFLICT DO NOTHING`)
        .run(...Object.values(row));
    }
  });
}
