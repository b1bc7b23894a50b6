import type { Facts } from "../facts.ts";
import type { ApplyOptions } from "./apply-batch.ts";
import { type Database, overwriting } from "./database.ts";
import { noteCut } from "./memory-outbox.ts";

type FactRemovals = Pick<
  Facts,
  "removals" | "askRemoval" | "dropRemoval" | "removeSession" | "sessionsOlderThan" | "newestSessionBefore"
>;

/** Sessions that are old enough to go, are to go, and go. */
export function factRemovals(db: Database, begins: ApplyOptions["begins"]): FactRemovals {
  return {
    // Earlier versions wrote when they asked: the session had told nothing after that either.
    removals: async () =>
      db
        .sql("SELECT session_id, asked_at_iso FROM removals ORDER BY session_id")
        .all()
        .map((row) => ({
          sessionId: row["session_id"] as string,
          beforeIso: row["asked_at_iso"] as string,
        })),
    askRemoval: async (sessionId, beforeIso) => {
      db.sql("INSERT OR REPLACE INTO removals (session_id, asked_at_iso) VALUES (?, ?)").run(
        sessionId,
        beforeIso,
      );
    },
    dropRemoval: async (sessionId) => {
      db.sql("DELETE FROM removals WHERE session_id = ?").run(sessionId);
    },
    removeSession: async (sessionId) => {
      begins.delete(sessionId);
      overwriting(db, () => db.transaction(() => removeSession(db, sessionId)));
      noteCut(db);
      // The write-ahead log has the old pages until it begins anew.
      db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    sessionsOlderThan: async (iso) =>
      db
        .sql(
          // Who began later is not looked at: 10,000 sessions took 25 ms, and take less than 1.
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
