import type { HooklineEvent } from "../../event/event.ts";
import type { ControlRows, VerdictRowQuery } from "../control-rows.ts";
import type { Database } from "./database.ts";
import { drivenRows, IS_ENVELOPE } from "./driven-rows.ts";
import { eventFromRow } from "./upsert-fact.ts";

export function sqliteControlRows(db: Database): ControlRows {
  return {
    ...drivenRows(db),
    eventsSince: async (iso, limit) =>
      db
        .sql(
          `SELECT event_json, payload_json FROM
             (SELECT seq, timestamp, event_json, payload_json FROM facts ORDER BY seq DESC LIMIT ?2)
           WHERE timestamp >= ?1 ORDER BY seq`,
        )
        .all(iso, limit)
        .map(eventFromRow),
    requestEvents: async (idPrefix, sinceIso) =>
      db
        .sql(
          `SELECT event_json, payload_json FROM facts
           WHERE event_type IN ('control.card', 'control.envelope') AND timestamp >= ?2
             AND substr(${REQUEST_ID}, 1, length(?1)) = ?1 ORDER BY seq`,
        )
        .all(idPrefix, sinceIso)
        .map(eventFromRow),
    verdicts: async (query) => verdicts(db, query),
    uncheckedCalls: async (sinceIso) => {
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
        .map(eventFromRow)
        .reverse(),
    hasEvent: async (eventId) => db.sql("SELECT 1 FROM facts WHERE id = ?").get(eventId) !== undefined,
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

/** The request id of a card, or of an envelope that asks or settles; null for other events. */
const REQUEST_ID = `CASE
  WHEN event_type = 'control.card' THEN json_extract(event_json, '$.card.cardId')
  WHEN phase IN ('permission.request', 'permission.resolved', 'question.request', 'question.resolved')
    THEN coalesce(json_extract(event_json, '$.envelope.requestId'), json_extract(event_json, '$.envelope.toolUseId'))
END`;

const VERDICT_CONDITIONS = ["event_type = 'control.verdict'", `${IS_ENVELOPE} AND phase = 'decision'`];

function verdicts(db: Database, { sessionId, sinceIso = "", limit }: VerdictRowQuery): HooklineEvent[] {
  const sessionFilter = sessionId === undefined ? "" : "AND session_id = ?3";
  return VERDICT_CONDITIONS.flatMap((condition) => {
    const rows = db.sql(
      `SELECT event_json, payload_json FROM facts WHERE ${condition} AND timestamp >= ?1 ${sessionFilter}
       ORDER BY timestamp DESC LIMIT ?2`,
    );
    return (sessionId === undefined ? rows.all(sinceIso, limit) : rows.all(sinceIso, limit, sessionId)).map(
      eventFromRow,
    );
  })
    .sort((a, b) => (a.occurredAtIso < b.occurredAtIso ? 1 : -1))
    .slice(0, limit);
}
