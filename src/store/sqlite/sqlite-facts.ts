import type { HooklineEvent } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import { SAMPLE_PREFIX } from "../../event/sample.ts";
import type { EventQuery, Facts, PromptState, SessionEventQuery, StoredRow, StoreSummary } from "../facts.ts";
import { type ApplyOptions, applyBatch } from "./apply-batch.ts";
import type { BatchCache } from "./batch-cache.ts";
import type { Database, Row } from "./database.ts";
import { factParts } from "./fact-parts.ts";
import { factRemovals } from "./fact-removals.ts";
import { savedPosition } from "./log-positions.ts";
import { readOffset, saveOffset } from "./stream-offsets.ts";
import { eventFromRow } from "./upsert-fact.ts";

export interface SqliteFactsOptions extends ApplyOptions {
  readonly cache: BatchCache;
}

export function sqliteFacts(db: Database, options: SqliteFactsOptions): Facts {
  const { cache, sessionStarts } = options;
  return {
    position: async () => savedPosition(db, "store"),
    async apply(batch) {
      cache.prepareFor(batch.lines.length);
      try {
        return db.transaction(() => applyBatch(db, batch, options));
      } catch (error) {
        // The cached session starts were rolled back with the transaction.
        sessionStarts.clear();
        throw error;
      }
    },
    ...factParts(db),
    ...factRemovals(db, sessionStarts),
    events: async (query) => events(db, query),
    sessionEvents: async (query) => sessionEvents(db, query),
    blob: async (hash) =>
      db.sql("SELECT content FROM blobs WHERE hash = ?").get(hash)?.["content"] as string | undefined,
    prompts: async (promptIds) => {
      const found = new Map<string, PromptState>();
      for (const promptId of promptIds) {
        const known = prompt(db, promptId);
        if (known !== undefined) found.set(promptId, known);
      }
      return found;
    },
    privateFacts: async (ids) =>
      new Set(
        db
          .sql("SELECT id FROM facts WHERE id IN (SELECT value FROM json_each(?)) AND is_private = 1")
          .all(JSON.stringify(ids))
          .map((row) => row["id"] as string),
      ),
    streamOffset: async (key) => readOffset(db, key),
    saveStreamOffset: async (key, { inode, byteOffset }, lastEventIso) => {
      const updatedAtIso = lastEventIso ?? readOffset(db, key)?.updatedAtIso ?? "";
      saveOffset(db, key, { inode, byteOffset, updatedAtIso });
    },
    summary: async () => summary(db),
  };
}

function events(db: Database, query: EventQuery): StoredRow[] {
  const { sessionId } = query;
  if (sessionId !== undefined) return sessionEvents(db, { ...query, sessionId });
  const rows = db
    .sql(
      "SELECT seq, event_json, payload_json, prompt_number, tool_index FROM facts WHERE seq > ? ORDER BY seq LIMIT ?",
    )
    .all(query.after, query.limit);
  return rows.map((row) => ({ seq: Number(row["seq"]), event: withNumbers(row) }));
}

/** Reads the seqs from the index first, so that a session of 20,000 events is not sorted for each page. */
function sessionEvents(db: Database, query: SessionEventQuery): StoredRow[] {
  const { sessionId, after, before, limit } = query;
  const [where, order] = before === undefined ? ["seq > ?2", "ASC"] : ["seq > ?2 AND seq < ?4", "DESC"];
  const rows = db.sql(
    `SELECT seq, event_json, payload_json, prompt_number, tool_index FROM facts WHERE seq IN
       (SELECT seq FROM facts WHERE session_id = ?1 AND ${where} ORDER BY seq ${order} LIMIT ?3)
     ORDER BY seq ${order}`,
  );
  const found =
    before === undefined ? rows.all(sessionId, after, limit) : rows.all(sessionId, after, limit, before);
  return found.map((row) => ({ seq: Number(row["seq"]), event: withNumbers(row) }));
}

function withNumbers(row: Row): HooklineEvent {
  const event = eventFromRow(row);
  const promptNumber = row["prompt_number"] as number | null;
  if (event.payload !== undefined && event.eventType === "tool_observation") {
    event.payload = {
      ...event.payload,
      promptIndex: promptNumber,
      toolIndex: row["tool_index"] as number | null,
    };
  }
  // A stream that numbers its own turns keeps its numbers.
  if (event.eventType === "skill.lifecycle" && !Number.isInteger(event["turnSeq"]))
    event["turnSeq"] = promptNumber;
  return event;
}

function prompt(db: Database, promptId: string): PromptState | undefined {
  const prompts = db
    .sql("SELECT id, is_private FROM facts WHERE prompt_id = ? AND event_type = 'turn.start'")
    .all(promptId);
  const slash = db
    .sql("SELECT event_json, payload_json FROM facts WHERE id = ?")
    .get(factId("slash", promptId, "in_progress"));
  if (prompts.length === 0 && slash === undefined) return undefined;
  return {
    eventIds: prompts.map((row) => row["id"] as string),
    isPrivate: prompts.some((row) => row["is_private"] === 1),
    slashCommand: slash === undefined ? undefined : eventFromRow(slash),
  };
}

function summary(db: Database): StoreSummary {
  const last = db
    .sql(`SELECT json_extract(event_json, '$.origin') AS origin, max(timestamp) AS t FROM (
            SELECT event_json, timestamp, session_id FROM facts ORDER BY seq DESC LIMIT 1000)
          WHERE session_id NOT GLOB '${SAMPLE_PREFIX}*' GROUP BY 1`)
    .all();
  return {
    ...countFacts(db),
    lastEventPerSource: Object.fromEntries(last.map((row) => [row["origin"] as string, row["t"] as string])),
  };
}

export function countFacts(db: Database): Omit<StoreSummary, "lastEventPerSource"> {
  const count = (table: string): number => Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);
  const countSample = (table: string, column: string): number =>
    Number(
      db
        .sql(`SELECT count(*) AS n FROM ${table} WHERE ${column} >= ? AND ${column} < ?`)
        .get(SAMPLE_PREFIX, `${SAMPLE_PREFIX}~`)?.["n"],
    );
  return {
    events: count("facts") - countSample("facts", "session_id"),
    sessions: count("sdk_sessions") - countSample("sdk_sessions", "claude_session_id"),
    refused: count("refused_events"),
  };
}
