import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AppError } from "../../app-error.ts";
import { DEFAULT_CACHE_KB } from "./batch-cache.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A connection that prepares each statement once. */
export interface Database {
  readonly raw: DatabaseSync;
  sql(text: string): StatementSync;
  /** Runs `work` atomically. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export type Row = Record<string, unknown>;

export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Database {
  if (options.readOnly === true && !existsSync(path)) {
    throw new AppError("store_missing", `there is no database at ${path} yet: start the daemon`);
  }
  const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
  try {
    // Short, so that the daemon does not block on another process. It retries later instead.
    raw.exec("PRAGMA busy_timeout = 50");
    raw.exec("PRAGMA foreign_keys = ON");
    if (options.readOnly !== true) {
      // Only applies to a new file. Facts of 2 to 3 KB half-fill a 4 KB page; fewer, fuller pages to write.
      raw.exec("PRAGMA page_size = 8192");
      raw.exec("PRAGMA journal_mode = WAL");
      // A power cut may lose the last transactions with their cursor, never half of one; the log has them.
      raw.exec("PRAGMA synchronous = NORMAL");
      raw.exec(`PRAGMA cache_size = -${DEFAULT_CACHE_KB}`);
      // Hot pages are written back less often; the WAL stays below 16 MB.
      raw.exec("PRAGMA wal_autocheckpoint = 4000");
      migrate(raw, path);
    } else refuseNewer(versionOf(raw), path);
  } catch (error) {
    raw.close();
    throw error;
  }
  return {
    raw,
    ...statementsOf(raw),
    close() {
      raw.close();
    },
  };
}

/** Prepared statements and transactions for a connection. */
export function statementsOf(raw: DatabaseSync): Pick<Database, "sql" | "transaction"> {
  const prepared = new Map<string, StatementSync>();
  return {
    sql(text) {
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = raw.prepare(text);
        prepared.set(text, statement);
      }
      return statement;
    },
    transaction(work) {
      raw.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        raw.exec("COMMIT");
        return result;
      } catch (error) {
        if (raw.isTransaction) raw.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

function migrate(raw: DatabaseSync, path: string): void {
  const version = versionOf(raw);
  refuseNewer(version, path);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    raw.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

function versionOf(raw: DatabaseSync): number {
  return Number((raw.prepare("PRAGMA user_version").get() as Row)["user_version"]);
}

function refuseNewer(version: number, path: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new AppError(
    "store_newer",
    `${path} was written by a newer hookline (schema ${version}, this version supports up to ${MIGRATIONS.length}): update hookline`,
  );
}

export type SqliteErrorKind = "busy" | "corrupt" | "full" | "refused" | "other";

/** Classifies an engine error. */
export function sqliteErrorKind(error: unknown): SqliteErrorKind {
  const code = (error as { errcode?: unknown }).errcode;
  if (typeof code !== "number") return "other";
  switch (code & 0xff) {
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return "busy";
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return "corrupt";
    case 10: // SQLITE_IOERR
    case 13: // SQLITE_FULL
      return "full";
    case 1: // SQLITE_ERROR, which RAISE in a trigger returns on older versions
    case 18: // SQLITE_TOOBIG
    case 19: // SQLITE_CONSTRAINT
    case 20: // SQLITE_MISMATCH
      return "refused";
    default:
      return "other";
  }
}

/** Overwrites deleted content in the file instead of only unlinking it. */
export function withSecureDelete(db: Database, work: () => void): void {
  db.raw.exec("PRAGMA secure_delete = ON");
  try {
    work();
  } finally {
    db.raw.exec("PRAGMA secure_delete = OFF");
  }
}
