import { type HooklineEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { callRowId, rowId } from "../../event/ids.ts";
import { contentOf, forgetContent } from "../../privacy/forgotten-event.ts";
import { isFoundIn, isFoundInText, type TextFinder } from "../../privacy/forgotten-text.ts";
import type { StoreErasure } from "../forgetting.ts";
import { createCallNumbers } from "./call-numbers.ts";
import type { Database, Row } from "./database.ts";
import { enqueueCall, enqueueEntry, turnKey } from "./memory-outbox.ts";
import { type DirtySession, markDirty, projectSession } from "./project-session.ts";
import { OWN_LOG_KEY } from "./stream-offsets.ts";
import { eventFromRow, toJsonColumns } from "./upsert-fact.ts";

interface AffectedRows {
  readonly dirty: Map<string, DirtySession>;
  /** Keyed by session and prompt. */
  readonly turns: Map<string, { readonly sessionId: string; readonly promptId: string | null }>;
}

/** Erases facts and requeues what was derived from them. Returns their sessions. Within a transaction. */
export function eraseFacts(db: Database, ids: readonly string[], erasure: StoreErasure): string[] {
  const affected: AffectedRows = { dirty: new Map(), turns: new Map() };
  for (const id of ids) eraseFact(db, id, erasure, affected);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  for (const [sessionId, session] of affected.dirty) {
    if (sessionId !== UNKNOWN_SESSION)
      projectSession(db, sessionId, session, new Map(), createCallNumbers(db, []));
    deleteSnapshot(db, sessionId);
  }
  for (const turn of affected.turns.values()) requeueTurn(db, turn.sessionId, turn.promptId);
  return [...affected.dirty.keys()];
}

function eraseFact(db: Database, id: string, erasure: StoreErasure, affected: AffectedRows): void {
  db.sql("DELETE FROM refused_events WHERE id = ?").run(id);
  const row = db.sql("SELECT event_json, payload_json FROM facts WHERE id = ?").get(id);
  if (row === undefined) return;
  const event = eventFromRow(row);
  markDirty(affected.dirty, event, new Map());
  const { sessionId, promptId } = event;
  affected.turns.set(turnKey(sessionId, promptId, ""), { sessionId, promptId: promptId ?? null });
  deleteItemsOf(db, event);
  const bare = forgetContent(event);
  db.sql("DELETE FROM fact_blobs WHERE fact_id = ?").run(id);
  if (!erasure.stillLogged.has(id) || erasure.guards.some((finder) => isFoundIn(finder, contentOf(bare)))) {
    db.sql("DELETE FROM facts WHERE id = ?").run(id);
    return;
  }
  const [eventJson, payloadJson] = toJsonColumns(bare);
  db.sql(
    "UPDATE facts SET is_private = ?, observation_id = NULL, event_json = ?, payload_json = ? WHERE id = ?",
  ).run(bare["private"] === true ? 1 : 0, eventJson, payloadJson, id);
}

/** Deletes memory items derived from a fact. */
function deleteItemsOf(db: Database, event: HooklineEvent): void {
  const { eventType, toolUseId, id } = event;
  if (eventType === "tool_observation" && toolUseId != null)
    deleteItem(db, callRowId({ ...event, toolUseId }));
  else if (eventType === "turn.start") deleteItem(db, rowId("prompt", id));
  else if (eventType === "memory.injected") db.sql("DELETE FROM memory_injections WHERE id = ?").run(id);
  const itemId = event["itemId"];
  if (typeof itemId !== "number") return;
  if (eventType === "memory.item") {
    db.sql("DELETE FROM memory_made WHERE fact_id = ?").run(id);
    requeueItem(db, itemId);
  } else if (eventType === "memory.mark") {
    db.sql("DELETE FROM memory_marks WHERE item_id = ?").run(itemId);
    for (const otherMark of db
      .sql(
        "SELECT id FROM facts WHERE event_type = 'memory.mark' AND id <> ? AND json_extract(event_json, '$.itemId') = ?",
      )
      .all(id, itemId))
      enqueueEntry(db, { kind: "mark", key: otherMark["id"] as string });
    requeueItem(db, itemId);
  }
}

/** Deletes an item and everything recorded about it. Within a transaction. */
export function deleteItem(db: Database, id: number): void {
  for (const table of ["memory_made", "memory_marks"])
    db.sql(`DELETE FROM ${table} WHERE item_id = ?`).run(id);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** Deletes an item, and requeues it if its source still exists. */
function requeueItem(db: Database, id: number): void {
  const item = db.sql("SELECT session_id FROM memory_items WHERE id = ?").get(id);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
  const call = db.sql("SELECT id FROM facts WHERE observation_id = ?").get(id);
  if (call !== undefined) enqueueCall(db, call["id"] as string);
  for (const made of db.sql("SELECT fact_id FROM memory_made WHERE item_id = ?").all(id))
    enqueueEntry(db, { kind: "made", key: made["fact_id"] as string });
  if (item === undefined || call !== undefined) return;
  const sessionId = item["session_id"] as string;
  for (const prompt of db
    .sql("SELECT id, prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start'")
    .all(sessionId)) {
    const [factId, promptId] = [prompt["id"] as string, prompt["prompt_id"] as string | null];
    if (rowId("prompt", factId) === id || rowId("summary", `${sessionId}\n${promptId}`) === id)
      enqueueEntry(db, { kind: "turn", key: turnKey(sessionId, promptId, factId) });
  }
}

/**
 * Requeues the items of a turn: those of calls include the text around them, and the summary covers the
 * whole turn.
 */
function requeueTurn(db: Database, sessionId: string, promptId: string | null): void {
  for (const call of db
    .sql(
      "SELECT id, observation_id FROM facts WHERE session_id = ? AND prompt_id IS ? AND observation_id IS NOT NULL",
    )
    .all(sessionId, promptId)) {
    db.sql("DELETE FROM memory_items WHERE id = ?").run(call["observation_id"] as number);
    enqueueCall(db, call["id"] as string);
  }
  if (promptId === null) return;
  const summary = rowId("summary", `${sessionId}\n${promptId}`);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(summary);
  enqueueEntry(db, { kind: "turn", key: turnKey(sessionId, promptId, "") });
}

/** Deletes the monitor's rows of a session, which it rebuilds from the facts. */
function deleteSnapshot(db: Database, sessionId: string): void {
  for (const table of ["session_snapshots", "human_waits"])
    db.sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
}

/** Erases a session's events up to a time; the whole session if none came later. */
export function eraseSession(
  db: Database,
  sessionId: string,
  untilIso: string,
  erasure: StoreErasure,
): string[] {
  const ids = db
    .sql("SELECT id FROM facts WHERE session_id = ? AND timestamp <= ? AND event_type <> 'memory.forgotten'")
    .all(sessionId, untilIso)
    .map((row) => row["id"] as string);
  const later = db
    .sql("SELECT 1 FROM facts WHERE session_id = ? AND timestamp > ? LIMIT 1")
    .get(sessionId, untilIso);
  db.sql("DELETE FROM refused_events WHERE json_extract(event_json, '$.sessionId') = ?").run(sessionId);
  if (later !== undefined) {
    eraseFacts(db, ids, { ...erasure, stillLogged: new Set() });
    return [sessionId];
  }
  db.sql("DELETE FROM sdk_sessions WHERE claude_session_id = ?").run(sessionId);
  db.sql("DELETE FROM facts WHERE session_id = ? AND event_type <> 'memory.forgotten'").run(sessionId);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  for (const table of ["memory_items", "memory_made", "memory_marks", "memory_injections", "memory_jobs"])
    db.sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
  deleteSnapshot(db, sessionId);
  return [sessionId];
}

/** Tables that can be rebuilt or read again: their keys and text columns. */
const DERIVED_TABLES: readonly (readonly [
  table: string,
  keys: readonly string[],
  texts: readonly string[],
])[] = [
  ["memory_items", ["id"], ["content_json", "summary_json"]],
  ["session_summaries", ["id"], ["request", "investigated", "learned", "completed", "next_steps"]],
  ["session_snapshots", ["session_id"], ["search_text", "snapshot_json"]],
  ["human_waits", ["session_id", "wait_id"], ["text"]],
  ["refused_events", ["id"], ["reason", "event_json"]],
  ["memory_jobs", ["turn"], ["last_error"]],
  ["lifecycle_stream_offsets", ["stream_key"], ["stream_key"]],
];

/** Deletes derived rows that contain a forgotten text; they are rebuilt from what is left. */
export function eraseDerivedText(db: Database, guards: readonly TextFinder[]): void {
  for (const [table, keys, texts] of DERIVED_TABLES) {
    const containsForgotten = (row: Row): boolean =>
      texts.some((column) => {
        const text = row[column];
        return typeof text === "string" && guards.some((finder) => isFoundInText(finder, text));
      });
    const columns = [...new Set([...keys, ...texts])].join(", ");
    const found: Row[] = [];
    for (const row of db.raw.prepare(`SELECT ${columns} FROM ${table}`).iterate())
      if (row["stream_key"] !== OWN_LOG_KEY && containsForgotten(row)) found.push(row);
    for (const row of found) {
      if (table === "memory_items") requeueItem(db, row["id"] as number);
      else
        db.sql(`DELETE FROM ${table} WHERE ${keys.map((key) => `${key} = ?`).join(" AND ")}`).run(
          ...keys.map((key) => row[key] as string | number),
        );
    }
  }
}
