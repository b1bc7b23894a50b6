import type { Store } from "../store.ts";
import { createBatchCache } from "./batch-cache.ts";
import { type Database, openDatabase } from "./database.ts";
import type { FormatPosition } from "./log-positions.ts";
import { SKIPPED_TOOLS } from "./project-session.ts";
import { sqliteControlRows } from "./sqlite-control-rows.ts";
import { sqliteFacts } from "./sqlite-facts.ts";
import { sqliteForgetting } from "./sqlite-forgetting.ts";
import { sqliteMemoryJobs } from "./sqlite-memory-jobs.ts";
import { sqliteMemoryRows } from "./sqlite-memory-rows.ts";
import { sqliteSessionRows } from "./sqlite-session-rows.ts";
import { toStoreError, withStoreErrors } from "./store-errors.ts";

export interface SqliteStoreOptions {
  readonly skippedTools?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** Formats a position of our own log for `lifecycle_stream_offsets`. */
  readonly formatPosition?: FormatPosition | undefined;
}

/** Each method runs to completion before it returns its promise: nothing interleaves with its steps. */
export interface SqliteStore extends Store {
  readonly db: Database;
  closeNow(): void;
}

export function openSqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const db = openOrThrow(path, options.readOnly ?? false);
  const cache = createBatchCache(db.raw);
  /** Cache: session starts from their rows, so that later events need no lookup. */
  const sessionStarts = new Map<string, string>();
  const facts = sqliteFacts(db, {
    cache,
    sessionStarts: sessionStarts,
    skippedTools: new Set(options.skippedTools ?? SKIPPED_TOOLS),
    formatPosition: options.formatPosition ?? ((position) => ({ inode: position, byteOffset: 0 })),
  });
  const closeNow = (): void => {
    cache.close();
    db.close();
  };
  return {
    db,
    facts: withStoreErrors(facts),
    sessions: withStoreErrors(sqliteSessionRows(db)),
    memory: withStoreErrors(sqliteMemoryRows(db)),
    jobs: withStoreErrors(sqliteMemoryJobs(db)),
    control: withStoreErrors(sqliteControlRows(db)),
    forgetting: withStoreErrors(sqliteForgetting(db, (sessionId) => sessionStarts.delete(sessionId))),
    closeNow,
    close: async () => closeNow(),
  };
}

function openOrThrow(path: string, readOnly: boolean): Database {
  try {
    return openDatabase(path, { readOnly });
  } catch (error) {
    throw toStoreError(error);
  }
}
