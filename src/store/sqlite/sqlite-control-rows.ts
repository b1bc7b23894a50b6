import type { HooklineEvent } from "../../event/event.ts";
import type { ControlRows, VerdictRowQuery } from "../control-rows.ts";
import type { Database, Row } from "./database.ts";
import { fromRow } from "./put-fact.ts";

const SEQ = "json_extract(event_json, '$.envelope.seq')";
const ENVELOPE = "event_type = 'control.envelope'";

export function sqliteControlRows(db: Database): ControlRows {
  const toEnvelope = (row: Row): Record<string, unknown> =>
    (JSON.parse(row["event_json"] as string) as { envelope: Record<string, unknown> }).envelope;
  return {
    envelopes: async (sessionId, afterSeq, limit) =>
      db
        .sql(
          `SELECT event_json FROM facts WHERE ${ENVELOPE} AND session_id = ? AND ${SEQ} > ? ORDER BY ${SEQ} LIMIT ?`,
        )
        .all(sessionId, afterSeq, limit)
        .map(toEnvelope),
    lastSeq: async (sessionId) =>
      Number(
        db.sql(`SELECT max(${SEQ}) AS n FROM facts WHERE ${ENVELOPE} AND session_id = ?`).get(sessionId)?.[
          "n"
        ] ?? 0,
      ),
    unfinished: async () =>
      db
        .sql(
          `WITH driven AS (SELECT session_id, max(${SEQ}) AS seq FROM facts WHERE ${ENVELOPE} GROUP BY session_id)
           SELECT f.session_id, d.seq, f.project_path, f.cwd FROM driven d
             JOIN facts f ON f.${ENVELOPE} AND f.session_id = d.session_id AND ${SEQ.replace("event_json", "f.event_json")} = d.seq
           WHERE f.phase <> 'state' OR json_extract(f.event_json, '$.envelope.state') <> 'closed' ORDER BY f.session_id`,
        )
        .all()
        .map((row) => ({
          sessionId: row["session_id"] as string,
          lastSeq: Number(row["seq"]),
          projectPath: row["project_path"] as string | null,
          cwd: row["cwd"] as string | null,
        })),
    lost: async (sinceIso) =>
      db
        .sql(
          `SELECT session_id, max(project_path) AS project_path, max(cwd) AS cwd FROM facts
           WHERE ${ENVELOPE} AND phase IN ('permission.resolved', 'question.resolved')
             AND json_extract(event_json, '$.envelope.outcome') = 'lost' AND timestamp >= ?
           GROUP BY session_id ORDER BY session_id`,
        )
        .all(sinceIso)
        .map((row) => ({
          sessionId: row["session_id"] as string,
          projectPath: row["project_path"] as string | null,
          cwd: row["cwd"] as string | null,
        })),
    eventsSince: async (iso, limit) =>
      db
        .sql(
          `SELECT event_json, payload_json FROM
             (SELECT seq, timestamp, event_json, payload_json FROM facts ORDER BY seq DESC LIMIT ?2)
           WHERE timestamp >= ?1 ORDER BY seq`,
        )
        .all(iso, limit)
        .map(fromRow),
    verdicts: async (query) => verdicts(db, query),
    unchecked: async (sinceIso) => {
      const row = db
        .sql(
          `SELECT count(*) AS count, max(timestamp) AS last FROM facts
           WHERE event_type = 'control.verdict' AND timestamp >= ? AND phase = 'unchecked'`,
        )
        .get(sinceIso)!;
      return { count: row["count"] as number, lastAtIso: row["last"] as string | null };
    },
    newestCalls: async (sinceIso, limit) =>
      db
        .sql(
          `SELECT event_json, payload_json FROM facts WHERE event_type = 'tool.start' AND timestamp >= ?
           ORDER BY timestamp DESC, seq DESC LIMIT ?`,
        )
        .all(sinceIso, limit)
        .map(fromRow)
        .reverse(),
    has: async (eventId) => db.sql("SELECT 1 FROM facts WHERE id = ?").get(eventId) !== undefined,
    lastSummary: async (sessionId) => {
      const row = db
        .sql(
          `SELECT u.request, u.completed FROM session_summaries u JOIN sdk_sessions s ON s.id = u.session_id
           WHERE s.claude_session_id = ? ORDER BY u.created_at DESC, u.id DESC LIMIT 1`,
        )
        .get(sessionId);
      if (row === undefined) return null;
      return { request: row["request"] as string | null, completed: row["completed"] as string | null };
    },
  };
}

const DECIDED = ["event_type = 'control.verdict'", `${ENVELOPE} AND phase = 'decision'`];

function verdicts(db: Database, { sessionId, sinceIso = "", limit }: VerdictRowQuery): HooklineEvent[] {
  const ofSession = sessionId === undefined ? "" : "AND session_id = ?3";
  return DECIDED.flatMap((kind) => {
    const rows = db.sql(
      `SELECT event_json, payload_json FROM facts WHERE ${kind} AND timestamp >= ?1 ${ofSession}
       ORDER BY timestamp DESC LIMIT ?2`,
    );
    return (sessionId === undefined ? rows.all(sinceIso, limit) : rows.all(sinceIso, limit, sessionId)).map(
      fromRow,
    );
  })
    .sort((a, b) => (a.occurredAtIso < b.occurredAtIso ? 1 : -1))
    .slice(0, limit);
}
