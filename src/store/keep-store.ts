import { existsSync, renameSync, rmSync } from "node:fs";
import { AppError } from "../app-error.ts";
import type { LogFiles } from "../log/segments.ts";
import { catchUp, type FollowReport } from "./follow-log.ts";
import { sqliteTrouble } from "./sqlite/database.ts";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";
import type { ApplyResult } from "./store.ts";

/** The one owner of the database file: keeps it level with the log, replaces it when it is broken or rebuilt. */
export interface StoreKeeper {
  readonly store: SqliteStore;
  /** Takes what is new in the log. One at a time; a call during another waits for one more round. */
  follow(): Promise<void>;
  rebuild(onProgress?: (events: number) => void): Promise<RebuildReport>;
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
  readonly log: LogFiles;
  readonly onApplied?: (result: ApplyResult) => void;
  readonly onFollowed?: (report: FollowReport) => void;
  readonly onNotice: (message: string) => void;
  /** For the name of a database that is set aside. */
  readonly nowMs: () => number;
}

const BUSY_MS = [20, 50, 100, 250, 500, 1_000];

export async function keepStore(options: KeepStoreOptions): Promise<StoreKeeper> {
  rmSync(`${options.path}.rebuild`, { force: true });
  let store = openOrReplace(options);
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let following: Promise<void> | null = null;
  let again = false;

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  const followOnce = async (): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      if (isClosed) return;
      try {
        const report = await catchUp(options.log, store, options.onApplied);
        if (report.events > 0) options.onFollowed?.(report);
        return;
      } catch (error) {
        const trouble = sqliteTrouble(error);
        if (trouble === "corrupt") {
          store.close();
          setAside(options, "is corrupt");
          store = openOrReplace(options);
        } else if (trouble === "busy" || trouble === "full") {
          if (attempt % 20 === 5)
            options.onNotice(`the database is ${trouble}: ${(error as Error).message}; trying on`);
          await new Promise((resolve) => setTimeout(resolve, BUSY_MS[Math.min(attempt, BUSY_MS.length - 1)]));
        } else throw error;
      }
    }
  };

  const follow = (): Promise<void> => {
    if (following !== null) {
      again = true;
      return following;
    }
    following = alone(async () => {
      do {
        again = false;
        await followOnce();
      } while (again && !isClosed);
    }).finally(() => {
      following = null;
    });
    return following;
  };

  const rebuild = async (onProgress: (events: number) => void = () => undefined): Promise<RebuildReport> => {
    const path = `${options.path}.rebuild`;
    rmSync(path, { force: true });
    const fresh = openSqliteStore(path, options);
    let done = 0;
    const count = (result: ApplyResult): void => {
      done += result.applied.length;
      onProgress(done);
    };
    try {
      // The long part runs beside the living store; only the last step stands alone.
      await catchUp(options.log, fresh, count);
      return await alone(async () => {
        await catchUp(options.log, store, options.onApplied);
        await catchUp(options.log, fresh, count);
        checkRebuilt(fresh, store);
        carryOver(store, fresh);
        const { events, sessions } = fresh.summary();
        fresh.close();
        store.close();
        for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
        renameSync(path, options.path);
        store = openSqliteStore(options.path, options);
        return { events, sessions };
      });
    } catch (error) {
      if (existsSync(path)) {
        if (fresh.db.raw.isOpen) fresh.close();
        for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
      }
      throw error;
    }
  };

  return {
    get store() {
      return store;
    },
    follow,
    rebuild,
    alone,
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

function setAside(options: KeepStoreOptions, why: string): void {
  const aside = `${options.path}.corrupt-${options.nowMs()}`;
  renameSync(options.path, aside);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
  options.onNotice(`the database ${why}: set aside as ${aside}, made again from the log`);
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

/** What the log does not know: how far foreign streams are read, and what is being removed. */
function carryOver(from: SqliteStore, to: SqliteStore): void {
  for (const row of from.db
    .sql("SELECT stream_key FROM lifecycle_stream_offsets WHERE stream_key <> 'hookline'")
    .all()) {
    const key = row["stream_key"] as string;
    to.saveStreamOffset(key, from.streamOffset(key)!);
  }
  for (const sessionId of from.removals()) to.askRemoval(sessionId, new Date(0).toISOString());
}
