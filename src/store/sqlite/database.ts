import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AppError } from "../../app-error.ts";
import { USUAL_KB } from "./batch-cache.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A connection whose statements are prepared once. */
export interface Database {
  readonly raw: DatabaseSync;
  sql(text: string): StatementSync;
  /** All of `work`, or nothing of it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export type Row = Record<string, unknown>;

export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Database {
  if (options.readOnly === true && !existsSync(path)) {
    throw new AppError("store_missing", `there is no database at ${path} yet`);
  }
  const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
  try {
    // Short: the daemon must not stand still behind another process. It tries again later instead.
    raw.exec("PRAGMA busy_timeout = 50");
    raw.exec("PRAGMA foreign_keys = ON");
    if (options.readOnly !== true) {
      // Only a new file takes it. Facts of 2 to 3 KB fill a page of 4 KB by half: fewer, fuller pages to write.
      raw.exec("PRAGMA page_size = 8192");
      raw.exec("PRAGMA journal_mode = WAL");
      // A power cut may take the last transactions, never half of one: the cursor goes with them, the log has them.
      raw.exec("PRAGMA synchronous = NORMAL");
      raw.exec(`PRAGMA cache_size = -${USUAL_KB}`);
      // Pages that change again and again are written back less often; the file stays below 16 MB.
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

/** Statements that are prepared once, and transactions. */
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
    `${path} was written by a newer hookline (schema ${version}, this one knows ${MIGRATIONS.length}): update hookline`,
  );
}

export type SqliteTrouble = "busy" | "corrupt" | "full" | "refused" | "other";

/** What an error of the engine means for us. */
export function sqliteTrouble(error: unknown): SqliteTrouble {
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
    case 1: // SQLITE_ERROR, what RAISE in a trigger gives on older versions
    case 18: // SQLITE_TOOBIG
    case 19: // SQLITE_CONSTRAINT
    case 20: // SQLITE_MISMATCH
      return "refused";
    default:
      return "other";
  }
}

/** What is deleted meanwhile is overwritten in the file, not only forgotten. */
export function overwriting(db: Database, work: () => void): void {
  db.raw.exec("PRAGMA secure_delete = ON");
  try {
    work();
  } finally {
    db.raw.exec("PRAGMA secure_delete = OFF");
  }
}
