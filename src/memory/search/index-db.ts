import { chmodSync, existsSync, rmSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { sqliteErrorKind, statementsOf } from "../../store/sqlite/database.ts";

/** The index's own file. It can be rebuilt from hookline.db, so a foreign or corrupt file is discarded. */
export interface IndexDb {
  readonly raw: DatabaseSync;
  readonly path: string;
  sql(text: string): StatementSync;
  transaction<T>(work: () => T): T;
  meta(key: string): string | null;
  setMeta(key: string, value: string): void;
  close(): void;
}

export function openIndexDb(path: string): IndexDb {
  try {
    return open(path);
  } catch (error) {
    if (!(error instanceof ForeignFileError) && sqliteErrorKind(error) !== "corrupt") throw error;
    removeIndexFiles(path);
    return open(path);
  }
}

export function removeIndexFiles(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

/** "hkls": identifies our file. */
const APPLICATION_ID = 0x686b6c73;
/** Version of the tables below and of tokenisation: any other value rebuilds the index. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- Projects, sessions, tools, branches, kinds, types and models by a small number.
  CREATE TABLE names (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (what, text)
  ) STRICT;
  -- Numbers in the order of arrival: item ids are hashes, and lists of them would be longer.
  CREATE TABLE docs (
    doc INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL UNIQUE,
    generation INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    type INTEGER NOT NULL,
    session INTEGER NOT NULL,
    project INTEGER,
    tool INTEGER,
    branch INTEGER,
    success INTEGER,
    created_ms INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    embedding_hash BLOB NOT NULL
  ) STRICT;
  CREATE INDEX docs_by_time ON docs (created_ms);
  CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
  CREATE INDEX files_by_name ON files (name);
  CREATE TABLE doc_files (doc INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (doc, file)) STRICT, WITHOUT ROWID;
  CREATE INDEX doc_files_by_file ON doc_files (file, doc);
  CREATE VIRTUAL TABLE words USING fts5 (
    title, body, paths, raw, facets,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  -- Apart from the vectors, so that all codes are read without them.
  CREATE TABLE codes (doc INTEGER PRIMARY KEY, model INTEGER NOT NULL, hash BLOB NOT NULL, bin BLOB NOT NULL) STRICT;
  CREATE TABLE vectors (doc INTEGER PRIMARY KEY, v BLOB NOT NULL) STRICT;
  -- What is still to be embedded, written with the document.
  CREATE TABLE to_embed (doc INTEGER PRIMARY KEY) STRICT;
`;

class ForeignFileError extends Error {}

function open(path: string): IndexDb {
  const isNew = !existsSync(path);
  const raw = new DatabaseSync(path);
  try {
    raw.exec("PRAGMA busy_timeout = 2000");
    if (isNew) chmodSync(path, 0o600);
    prepare(raw);
  } catch (error) {
    raw.close();
    throw error;
  }
  const { sql, transaction } = statementsOf(raw);
  return {
    raw,
    path,
    sql,
    transaction,
    meta: (key) => (sql("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] ?? null) as string | null,
    setMeta: (key, value) => {
      sql("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
    },
    close: () => raw.close(),
  };
}

function prepare(raw: DatabaseSync): void {
  const pragmaNumber = (pragma: string): number =>
    Number(Object.values(raw.prepare(`PRAGMA ${pragma}`).get()!)[0]);
  const tables = Number(raw.prepare("SELECT count(*) AS n FROM sqlite_schema").get()!["n"]);
  const isOurs =
    pragmaNumber("application_id") === APPLICATION_ID && pragmaNumber("user_version") === SCHEMA_VERSION;
  if (tables > 0 && !isOurs) throw new ForeignFileError();
  raw.exec("PRAGMA page_size = 8192");
  raw.exec("PRAGMA journal_mode = WAL");
  // The cursor commits with its data, so changes lost in a power cut are applied again.
  raw.exec("PRAGMA synchronous = NORMAL");
  raw.exec("PRAGMA secure_delete = ON");
  raw.exec("PRAGMA cache_size = -4000");
  if (tables > 0) return;
  raw.exec(
    `BEGIN IMMEDIATE; ${SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
  );
}
