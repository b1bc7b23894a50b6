import type { Facts } from "../facts.ts";
import type { ApplyOptions } from "./apply-batch.ts";
import { type Database, withSecureDelete } from "./database.ts";
import { invalidateStamp } from "./memory-outbox.ts";

type FactRemovals = Pick<
  Facts,
  | "pendingRemovals"
  | "requestRemoval"
  | "cancelRemoval"
  | "removeSession"
  | "sessionsOlderThan"
  | "newestSessionBefore"
>;

/** Finds old sessions, tracks pending removals, and removes sessions. */
export function factRemovals(db: Database, sessionStarts: ApplyOptions["sessionStarts"]): FactRemovals {
  return {
    // Earlier versions stored the request time: the session had no events after that either.
    pendingRemovals: async () =>
      db
        .sql("SELECT session_id, asked_at_iso FROM removals ORDER BY session_id")
        .all()
        .map((row) => ({
          sessionId: row["session_id"] as string,
          beforeIso: row["asked_at_iso"] as string,
        })),
    requestRemoval: async (sessionId, beforeIso) => {
      db.sql("INSERT OR REPLACE INTO removals (session_id, asked_at_iso) VALUES (?, ?)").run(
        sessionId,
        beforeIso,
      );
    },
    cancelRemoval: async (sessionId) => {
      db.sql("DELETE FROM removals WHERE session_id = ?").run(sessionId);
    },
    removeSession: async (sessionId) => {
      sessionStarts.delete(sessionId);
      withSecureDelete(db, () => db.transaction(() => removeSession(db, sessionId)));
      invalidateStamp(db);
      // The write-ahead log holds the old pages until it is reset.
      db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    sessionsOlderThan: async (iso) =>
      db
        .sql(
          // Skips sessions that started later: for 10,000 sessions less than 1 ms instead of 25.
          `SELECT claude_session_id AS id FROM sdk_sessions s WHERE created_at < ?1 AND NOT EXISTS
             (SELECT 1 FROM facts WHERE session_id = s.claude_session_id AND timestamp >= ?1) ORDER BY created_at`,
        )
        .all(iso)
        .map((row) => row["id"] as string),
    newestSessionBefore: async (iso) =>
      (db.sql("SELECT max(created_at) AS t FROM sdk_sessions WHERE created_at <= ?").get(iso)?.["t"] ??
        null) as string | null,
  };
}

function removeSession(db: Database, sessionId: string): void {
  db.sql("DELETE FROM sdk_sessions WHERE claude_session_id = ?").run(sessionId);
  db.sql("DELETE FROM facts WHERE session_id = ?").run(sessionId);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  db.sql("DELETE FROM refused_events WHERE json_extract(event_json, '$.sessionId') = ?").run(sessionId);
  db.sql("DELETE FROM removals WHERE session_id = ?").run(sessionId);
}
