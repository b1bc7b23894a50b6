import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AppError } from "../../app-error.ts";
import type { ReplaceableStore } from "../replaceable-store.ts";
import { storeErrorKind } from "../store-error.ts";
import { savedPosition } from "./log-positions.ts";
import { countFacts } from "./sqlite-facts.ts";
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { throwStoreError, toStoreError } from "./store-errors.ts";
import { readOffset, saveOffset } from "./stream-offsets.ts";

export interface ReplaceableFileOptions extends SqliteStoreOptions {
  readonly path: string;
  readonly onNotice: (message: string) => void;
  /** For the file name of a quarantined database. */
  readonly nowMs: () => number;
}

export interface ReplaceableFile extends ReplaceableStore {
  readonly store: SqliteStore;
}

const QUARANTINE_MS = 7 * 24 * 3_600_000;

/** A database file. A corrupt one is quarantined immediately. */
export function openReplaceableFile(options: ReplaceableFileOptions): ReplaceableFile {
  const { path } = options;
  const replacementPath = `${path}.rebuild`;
  removeDatabase(replacementPath);
  sweepQuarantined(options);
  let store = openOrReplace(options);
  return {
    get store() {
      return store;
    },
    async replace() {
      closeIfOpen(store);
      quarantineDatabase(options);
      store = openOrReplace(options);
    },
    async openReplacement() {
      removeDatabase(replacementPath);
      const fresh = openSqliteStore(replacementPath, options);
      return {
        store: fresh,
        async takeOver() {
          checkAndCarryOver(store, fresh);
          closeIfOpen(fresh);
          closeIfOpen(store);
          for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
          renameSync(replacementPath, path);
          store = openSqliteStore(path, options);
        },
        async discard() {
          closeIfOpen(fresh);
          removeDatabase(replacementPath);
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
      // Throws if the file is not a database.
      savedPosition(store.db, "store");
    } catch (error) {
      throwStoreError(error);
    }
    return store;
  } catch (error) {
    if (storeErrorKind(error) !== "corrupt") throw error;
    quarantineDatabase(options);
    return openSqliteStore(options.path, options);
  }
}

/** Immediate: the file is renamed next and must not be open. */
function closeIfOpen(store: SqliteStore): void {
  if (store.db.raw.isOpen) store.closeNow();
}

function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
}

function quarantineDatabase(options: ReplaceableFileOptions): void {
  const quarantinePath = `${options.path}.corrupt-${options.nowMs()}`;
  renameSync(options.path, quarantinePath);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${options.path}${suffix}`, { force: true });
  options.onNotice(`the database is corrupt: moved to ${quarantinePath} and rebuilt from the log`);
}

/** A quarantined database may hold data people want deleted, so it expires like all quarantined files. */
function sweepQuarantined(options: ReplaceableFileOptions): void {
  const prefix = `${basename(options.path)}.corrupt-`;
  for (const name of readdirSync(dirname(options.path))) {
    if (!name.startsWith(prefix)) continue;
    const ageMs = options.nowMs() - Number(name.slice(prefix.length));
    if (ageMs > QUARANTINE_MS) rmSync(join(dirname(options.path), name), { force: true });
  }
}

/** A corrupt page in the old database must not prevent replacing it. */
function checkAndCarryOver(old: SqliteStore, fresh: SqliteStore): void {
  checkSound(fresh);
  try {
    checkComplete(fresh, old);
    carryOver(old, fresh);
  } catch (error) {
    const storeError = toStoreError(error);
    if (storeErrorKind(storeError) !== "corrupt") throw storeError;
  }
}

function checkSound(fresh: SqliteStore): void {
  const check = fresh.db.sql("PRAGMA quick_check").get()?.["quick_check"];
  if (check !== "ok")
    throw new AppError("rebuild_failed", `the rebuilt database is not sound: ${String(check)}`);
}

function checkComplete(fresh: SqliteStore, old: SqliteStore): void {
  const [now, before] = [countFacts(fresh.db), countFacts(old.db)];
  if (now.events + now.refused < before.events) {
    throw new AppError(
      "rebuild_incomplete",
      `the log has only ${now.events} events, the database ${before.events}: the database is unchanged`,
    );
  }
}

/** Copies what is not in the log: offsets of foreign streams, pending removals, model jobs and their cost. */
function carryOver(from: SqliteStore, to: SqliteStore): void {
  for (const row of from.db
    .sql("SELECT stream_key FROM lifecycle_stream_offsets WHERE stream_key <> 'hookline'")
    .all()) {
    const key = row["stream_key"] as string;
    saveOffset(to.db, key, readOffset(from.db, key)!);
  }
  // Includes finished jobs, so that a turn the model had nothing to say about is not submitted again.
  for (const table of ["removals", "memory_jobs", "memory_spend"]) carryTable(from, to, table);
}

function carryTable(from: SqliteStore, to: SqliteStore, table: string): void {
  to.db.transaction(() => {
    for (const row of from.db.sql(`SELECT * FROM ${table}`).all()) {
      const columns = Object.keys(row);
      const placeholders = columns.map(() => "?").join(", ");
      to.db
        .sql(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders}) ON CONFLICT DO NOTHING`)
        .run(...Object.values(row));
    }
  });
}
