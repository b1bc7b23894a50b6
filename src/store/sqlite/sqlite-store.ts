import type { Store } from "../store.ts";
import { createBatchCache } from "./batch-cache.ts";
import { type Database, openDatabase } from "./database.ts";
import type { ShowPosition } from "./log-positions.ts";
import { SKIPPED_TOOLS } from "./project-session.ts";
import { sqliteControlRows } from "./sqlite-control-rows.ts";
import { sqliteFacts } from "./sqlite-facts.ts";
import { sqliteForget } from "./sqlite-forget.ts";
import { sqliteMemoryJobs } from "./sqlite-memory-jobs.ts";
import { sqliteMemoryRows } from "./sqlite-memory-rows.ts";
import { sqliteSessionRows } from "./sqlite-session-rows.ts";
import { toStoreError, withStoreErrors } from "./store-errors.ts";

export interface SqliteStoreOptions {
  readonly skippedTools?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** How `lifecycle_stream_offsets` shows a position of our own log. */
  readonly showPosition?: ShowPosition | undefined;
}

/** Each method runs to completion before it gives its promise: nothing comes between its steps. */
export interface SqliteStore extends Store {
  readonly db: Database;
  closeNow(): void;
}

export function openSqliteStore(path: string, options: SqliteStoreOptions = {}): SqliteStore {
  const db = openOrThrow(path, options.readOnly ?? false);
  const cache = createBatchCache(db.raw);
  /** When sessions began, as their rows say: later events need not look. */
  const begins = new Map<string, string>();
  const facts = sqliteFacts(db, {
    cache,
    begins,
    skipped: new Set(options.skippedTools ?? SKIPPED_TOOLS),
    showPosition: options.showPosition ?? ((position) => ({ inode: position, byteOffset: 0 })),
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
    forgetting: withStoreErrors(sqliteForget(db, (sessionId) => begins.delete(sessionId))),
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
