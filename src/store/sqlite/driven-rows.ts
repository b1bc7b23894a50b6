import type { ControlRows } from "../control-rows.ts";
import type { Database, Row } from "./database.ts";

export const IS_ENVELOPE = "event_type = 'control.envelope'";
const SEQ = "json_extract(event_json, '$.envelope.seq')";

/** Envelopes of driven sessions, and how far each session got. */
export function drivenRows(
  db: Database,
): Pick<ControlRows, "envelopes" | "lastEnvelopeSeq" | "unfinishedSessions" | "sessionsWithLostRequests"> {
  return {
    envelopes: async (sessionId, afterSeq, limit) =>
      db
        .sql(
          `SELECT event_json FROM facts WHERE ${IS_ENVELOPE} AND session_id = ? AND ${SEQ} > ? ORDER BY ${SEQ} LIMIT ?`,
        )
        .all(sessionId, afterSeq, limit)
        .map(toEnvelope),
    lastEnvelopeSeq: async (sessionId) =>
      Number(
        db.sql(`SELECT max(${SEQ}) AS n FROM facts WHERE ${IS_ENVELOPE} AND session_id = ?`).get(sessionId)?.[
          "n"
        ] ?? 0,
      ),
    unfinishedSessions: async () =>
      db
        .sql(
          `WITH driven AS (SELECT session_id, max(${SEQ}) AS seq FROM facts WHERE ${IS_ENVELOPE} GROUP BY session_id)
           SELECT f.session_id, d.seq, f.project_path, f.cwd FROM driven d
             JOIN facts f ON f.${IS_ENVELOPE} AND f.session_id = d.session_id AND ${SEQ.replace("event_json", "f.event_json")} = d.seq
           WHERE f.phase <> 'state' OR json_extract(f.event_json, '$.envelope.state') <> 'closed' ORDER BY f.session_id`,
        )
        .all()
        .map((row) => ({
          sessionId: row["session_id"] as string,
          lastSeq: Number(row["seq"]),
          projectPath: row["project_path"] as string | null,
          cwd: row["cwd"] as string | null,
        })),
    sessionsWithLostRequests: async (sinceIso) =>
      db
        .sql(
          `SELECT session_id, max(project_path) AS project_path, max(cwd) AS cwd FROM facts
           WHERE ${IS_ENVELOPE} AND phase IN ('permission.resolved', 'question.resolved')
             AND json_extract(event_json, '$.envelope.outcome') = 'lost' AND timestamp >= ?
           GROUP BY session_id ORDER BY session_id`,
        )
        .all(sinceIso)
        .map((row) => ({
          sessionId: row["session_id"] as string,
          projectPath: row["project_path"] as string | null,
          cwd: row["cwd"] as string | null,
        })),
  };
}

function toEnvelope(row: Row): Record<string, unknown> {
  return (JSON.parse(row["event_json"] as string) as { envelope: Record<string, unknown> }).envelope;
}
