import type { MemoryRows, RecordedSession } from "../memory-rows.ts";
import type { Database } from "./database.ts";

type SessionRows = Pick<
  MemoryRows,
  "sessionIdOf" | "sessionRow" | "recordedSession" | "lastCompaction" | "latestTurn"
>;

/** The status of sessions. */
export function memorySessionRows(db: Database): SessionRows {
  return {
    sessionIdOf: async (id) =>
      db.sql("SELECT claude_session_id AS id FROM sdk_sessions WHERE id = ?").get(id)?.["id"] as
        | string
        | undefined,
    sessionRow: async (sessionId) => {
      const row = db
        .sql("SELECT id, project, prompt_counter FROM sdk_sessions WHERE claude_session_id = ?")
        .get(sessionId);
      if (row === undefined) return undefined;
      return {
        rowId: row["id"] as number,
        project: row["project"] as string | null,
        promptCounter: Number(row["prompt_counter"]),
      };
    },
    recordedSession: async (sessionId) => recordedSession(db, sessionId),
    lastCompaction: async (sessionId) =>
      (db
        .sql("SELECT max(+timestamp) AS t FROM facts WHERE session_id = ? AND event_type = 'compaction'")
        .get(sessionId)?.["t"] ?? null) as string | null,
    latestTurn: async (sessionId) =>
      (db
        .sql(
          `SELECT prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start' AND prompt_id IS NOT NULL
           ORDER BY +timestamp DESC LIMIT 1`,
        )
        .get(sessionId)?.["prompt_id"] ?? null) as string | null,
  };
}

function recordedSession(db: Database, sessionId: string): RecordedSession | undefined {
  const session = db
    .sql("SELECT prompt_counter FROM sdk_sessions WHERE claude_session_id = ?")
    .get(sessionId);
  if (session === undefined) return undefined;
  const last = db
    .sql(
      `SELECT cwd, prompt_id, is_private FROM facts WHERE session_id = ? AND event_type = 'turn.start'
       ORDER BY timestamp DESC, id LIMIT 1`,
    )
    .get(sessionId);
  const first = db
    .sql("SELECT cwd FROM facts WHERE session_id = ? AND cwd IS NOT NULL ORDER BY timestamp LIMIT 1")
    .get(sessionId);
  // Only the agent itself knows the location of its transcript.
  const selfReport = db
    .sql(
      "SELECT 1 FROM facts WHERE session_id = ? AND json_extract(event_json, '$.transcriptPath') IS NOT NULL LIMIT 1",
    )
    .get(sessionId);
  return {
    cwd: (last?.["cwd"] ?? first?.["cwd"] ?? null) as string | null,
    prompts: Number(session["prompt_counter"]),
    promptId: (last?.["prompt_id"] ?? null) as string | null,
    isPrivate: last?.["is_private"] === 1,
    isSelfReported: selfReport !== undefined,
  };
}
