import { SAMPLE_PREFIX } from "../../event/sample.ts";
import type {
  FailedCallRow,
  SessionRows,
  SpanUsageRow,
  ToolCountRow,
  TurnCountRow,
  UsageRow,
} from "../session-rows.ts";
import type { Database, Row } from "./database.ts";
import { eventFromRow } from "./upsert-fact.ts";

/**
 * Must match the expressions of the index `facts_by_usage`, and be read before summing: only then does
 * SQLite answer from the index alone. 200,000 messages take 0.25 s instead of 2.
 */
const eventField = (path: string): string => `json_extract(event_json, '$.${path}')`;
const AMOUNTS = {
  input: eventField("usage.input_tokens"),
  output: eventField("usage.output_tokens"),
  cacheRead: eventField("usage.cache_read_input_tokens"),
  cacheWrite: eventField("usage.cache_creation_input_tokens"),
  cacheWrite1h: eventField("usage.cache_creation.ephemeral_1h_input_tokens"),
  webSearches: eventField("usage.server_tool_use.web_search_requests"),
} as const;

/** The usage of each message, read from the index alone. */
const MESSAGES = `
  SELECT session_id AS sessionId, timestamp AS at, project_path AS projectPath,
    ${eventField("model")} AS model, ${eventField("usage.speed")} AS speed, ${eventField("usage.inference_geo")} AS geo,
    ${Object.entries(AMOUNTS)
      .map(([name, amount]) => `${amount} AS ${name}`)
      .join(", ")}
  FROM facts INDEXED BY facts_by_usage
  WHERE event_type = 'assistant.message' AND timestamp >= ?1 AND timestamp < ?2 LIMIT -1 OFFSET 0`;

const SUMS = `
  max(0, coalesce(input, 0) + coalesce(cacheRead, 0) + coalesce(cacheWrite, 0) - 1) / 100000 AS size,
  ${Object.keys(AMOUNTS)
    .map((name) => `sum(max(0, coalesce(${name}, 0))) AS ${name}`)
    .join(", ")}`;

const IS_COUNTED = "typeof(model) = 'text' AND model <> '<synthetic>'";

const USAGE = `
  SELECT sessionId, substr(at, 1, 13) AS hour, projectPath, model, speed, geo, ${SUMS}
  FROM (${MESSAGES}) WHERE ${IS_COUNTED}
  GROUP BY 1, 2, 3, 4, 5, 6, 7`;

const USAGE_WITHIN = `
  WITH spans AS MATERIALIZED (
    SELECT key AS span, CAST(value ->> 0 AS TEXT) AS ofSession, value ->> 1 AS fromIso, value ->> 2 AS untilIso
    FROM json_each(?3)
  )
  SELECT span, model, speed, geo, ${SUMS}
  FROM (${MESSAGES}) JOIN spans ON ofSession = sessionId AND at >= fromIso AND at <= untilIso
  WHERE ${IS_COUNTED}
  GROUP BY 1, 2, 3, 4, 5`;

/** A session has few `exited` events. */
const COST_STATES = `
  SELECT event_json, payload_json FROM facts INDEXED BY facts_by_session
  WHERE event_type = 'agent.event' AND phase = 'exited' AND ${eventField("name")} = 'cost-state' AND session_id IN (
    SELECT session_id FROM facts INDEXED BY facts_by_type
    WHERE event_type = 'agent.event' AND timestamp >= ? AND phase = 'exited'
  )
  ORDER BY timestamp, seq`;

/** A message that is also the session's own was not copied. */
const COPIED = `
  SELECT session_id AS sessionId, max(timestamp) AS untilIso FROM facts copied INDEXED BY facts_by_session
  WHERE session_id IN (SELECT value FROM json_each(?)) AND event_type = 'agent.event' AND phase IS NULL
    AND ${eventField("name")} = 'inherited-message' AND NOT EXISTS (
      SELECT 1 FROM facts own WHERE own.session_id = copied.session_id AND own.event_type = 'assistant.message'
        AND json_extract(own.event_json, '$.messageId') = json_extract(copied.event_json, '$.data.messageId')
    )
  GROUP BY 1`;

const TOOLS = `
  SELECT coalesce(tool, 'unknown') AS toolName, count(*) AS count
  FROM (
    SELECT json_extract(payload_json, '$.toolName') AS tool
    FROM facts INDEXED BY facts_by_tool
    WHERE event_type = 'tool_observation' AND timestamp >= ? AND timestamp < ? LIMIT -1 OFFSET 0
  )
  GROUP BY 1`;

const payloadField = (path: string): string => `json_extract(payload_json, '$.${path}')`;

/** A separate query, so that the count above reads only the index. */
const FAILED = `
  SELECT coalesce(${payloadField("toolName")}, 'unknown') AS toolName, ${eventField("denial")} AS denial,
    ${eventField("permissionDecision.decision")} AS decision, ${payloadField("errorMessage")} AS errorMessage,
    ${payloadField("toolOutput")} AS toolOutput, ${payloadField("metadata.exitCode")} AS exitCode
  FROM facts
  WHERE seq IN (
    SELECT seq FROM facts INDEXED BY facts_by_tool
    WHERE event_type = 'tool_observation' AND timestamp >= ? AND timestamp < ?
      AND json_extract(payload_json, '$.success') = 0
  )`;

const FIRST = `
  SELECT min(first) AS first FROM (
    SELECT min(timestamp) AS first FROM facts INDEXED BY facts_by_usage
      WHERE event_type = 'assistant.message' AND timestamp >= ?1
    UNION ALL
    SELECT min(timestamp) FROM facts INDEXED BY facts_by_tool WHERE event_type = 'tool_observation' AND timestamp >= ?1
    UNION ALL
    SELECT min(timestamp) FROM facts INDEXED BY facts_by_turn
      WHERE event_type = 'turn.start' AND is_machine = 0 AND timestamp >= ?1
  )`;

type UsageRows = Pick<
  SessionRows,
  | "firstUseSince"
  | "usageBetween"
  | "advisorMessagesSince"
  | "costStatesSince"
  | "copiedUntil"
  | "usageWithin"
  | "turnsBetween"
  | "toolsBetween"
  | "failedCallsBetween"
>;

/** Excludes sample sessions. That prevents index use, so it is only done if there is a sample. */
function withoutSample(db: Database, sql: string): string {
  const sample = db
    .sql("SELECT 1 FROM sdk_sessions WHERE claude_session_id >= ? AND claude_session_id < ? LIMIT 1")
    .get(SAMPLE_PREFIX, `${SAMPLE_PREFIX}~`);
  if (sample === undefined) return sql;
  return sql.replaceAll("AND timestamp", `AND session_id NOT GLOB '${SAMPLE_PREFIX}*' AND timestamp`);
}

export function usageRows(db: Database): UsageRows {
  const sqlOf = (sql: string) => db.sql(withoutSample(db, sql));
  return {
    async firstUseSince(iso) {
      return sqlOf(FIRST).get(iso)?.["first"] as string | null;
    },
    async usageBetween(from, to) {
      return sqlOf(USAGE).all(from, to) as unknown as UsageRow[];
    },
    async advisorMessagesSince(iso) {
      return sqlOf(
        `SELECT event_json, payload_json FROM facts INDEXED BY facts_with_advisors WHERE event_type = 'assistant.message'
             AND instr(event_json, '"advisor_message"') > 0 AND timestamp >= ? ORDER BY timestamp, seq`,
      )
        .all(iso)
        .map((row) => eventFromRow(row as Row));
    },
    async costStatesSince(iso) {
      return sqlOf(COST_STATES)
        .all(iso)
        .map((row) => eventFromRow(row as Row));
    },
    async copiedUntil(sessionIds) {
      const rows = db.sql(COPIED).all(JSON.stringify(sessionIds));
      return new Map(rows.map((row) => [row["sessionId"] as string, row["untilIso"] as string]));
    },
    async usageWithin(from, to, spans) {
      const spanRows = spans.map(({ sessionId, fromIso, untilIso }) => [sessionId, fromIso, untilIso]);
      return sqlOf(USAGE_WITHIN).all(from, to, JSON.stringify(spanRows)) as unknown as SpanUsageRow[];
    },
    async turnsBetween(from, to) {
      return sqlOf(
        `SELECT session_id AS sessionId, substr(timestamp, 1, 13) AS hour, project_path AS projectPath, count(*) AS count
           FROM facts INDEXED BY facts_by_turn
           WHERE event_type = 'turn.start' AND is_machine = 0 AND timestamp >= ? AND timestamp < ?
           GROUP BY 1, 2, 3`,
      ).all(from, to) as unknown as TurnCountRow[];
    },
    async toolsBetween(from, to) {
      return sqlOf(TOOLS).all(from, to) as unknown as ToolCountRow[];
    },
    async failedCallsBetween(from, to) {
      return sqlOf(FAILED).all(from, to).map(toFailedCall);
    },
  };
}

function toFailedCall(row: Row): FailedCallRow {
  const { toolName, denial, decision, errorMessage, toolOutput, exitCode } = row;
  return {
    toolName: toolName as string,
    denial,
    permissionDecision: { decision },
    payload: { success: false, errorMessage, toolOutput, metadata: { exitCode } },
  };
}
