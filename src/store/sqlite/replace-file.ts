import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "../../app-error.ts";
import type { ReplaceableStore } from "../replaceable-store.ts";
import { storeTrouble } from "../store-error.ts";
import { savedPosition } from "./log-positions.ts";
import { countFacts } from "./sqlite-facts.ts";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { throwStoreError, toStoreError } from "./store-errors.ts";
import { saveOffset, streamOffset } from "./stream-offsets.ts";

export interface ReplaceableFileOptions extends SqliteStoreOptions {
  readonly path: string;
  readonly onNotice: (message: string) => void;
  /** For the name of a database that is set aside. */
  readonly nowMs: () => number;
}

export interface ReplaceableFile extends ReplaceableStore {
  readonly store: SqliteStore;
}

const ASIDE_MS = 7 * 24 * 3_600_000;

/** A database file. One that is corrupt is set aside at once. */
export function openReplaceableFile(options: ReplaceableFileOptions): ReplaceableFile {
  const { path } = options;
  const besidePath = `${path}.rebuild`;
  removeDatabase(besidePath);
  sweepAside(options);
  let store = openOrReplace(options);
  return {
    get store() {
      return store;
    },
    async replace() {
      closeQuietly(store);
      setAside(options);
      store = openOrReplace(options);
    },
    async openBeside() {
      removeDatabase(besidePath);
      const fresh = openSqliteStore(besidePath, options);
      return {
        store: fresh,
        async takeOver() {
          carryOverSound(store, fresh);
          closeQuietly(fresh);
          closeQuietly(store);
          for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
          renameSync(besidePath, path);
          store = openSqliteStore(path, options);
        },
        async discard() {
          closeQuietly(fresh);
          removeDatabase(besidePath);
        },
      };
    },
    close: () => store.close(),
  };
}

function openOrReplace(options: ReplaceableFileOptions): SqliteStore {
  try {
    const store = openSqliteStore(options.path, options);
    try {
      // A file that is no database says so here.
      savedPosition(store.db, "store");
    } catch (error) {
      throwStoreError(error);
    }
    return store;
  } catch (error) {
    if (storeTrouble(error) !== "corrupt") throw error;
    setAside(options);
    return openSqliteStore(options.path, options);
  }
}

/** At once: what is renamed next must not be open. */
function closeQuietly(store: SqliteStore): void {
  if (store.db.raw.isOpen) store.closeNow();
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}

function setAside(options: ReplaceableFileOptions): void {
  const aside = `${options.path}.corrupt-${options.nowMs()}`;
  renameSync(options.path, aside);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
  options.onNotice(`the database is corrupt: set aside as ${aside}, made again from the log`);
}

/** What was set aside holds what people may want to be rid of: it goes like everything else that is set aside. */
function sweepAside(options: ReplaceableFileOptions): void {
  const prefix = `${basename(options.path)}.corrupt-`;
  for (const name of readdirSync(dirname(options.path))) {
    if (!name.startsWith(prefix)) continue;
    const ageMs = options.nowMs() - Number(name.slice(prefix.length));
    if (ageMs > ASIDE_MS) rmSync(join(dirname(options.path), name), { force: true });
  }
}

/** A database with a broken page that nobody has read yet must not keep us from making it again. */
function carryOverSound(old: SqliteStore, fresh: SqliteStore): void {
  try {
    checkRebuilt(fresh, old);
    carryOver(old, fresh);
  } catch (error) {
    const known = toStoreError(error);
    if (storeTrouble(known) !== "corrupt") throw known;
  }
}

function checkRebuilt(fresh: SqliteStore, old: SqliteStore): void {
  const check = fresh.db.sql("PRAGMA quick_check").get()?.["quick_check"];
  if (check !== "ok")
    throw new AppError("rebuild_failed", `the rebuilt database is not sound: ${String(check)}`);
  const [now, before] = [countFacts(fresh.db), countFacts(old.db)];
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
    saveOffset(to.db, key, streamOffset(from.db, key)!);
  }
  // Of the jobs also those that are done: what a model had nothing to say of is not asked again.
  for (const table of ["removals", "memory_jobs", "memory_spend"]) carryTable(from, to, table);
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
