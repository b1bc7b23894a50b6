import { type HooklineEvent, UNKNOWN_SESSION } from "../../event/event.ts";
import { callRowId, rowId } from "../../event/ids.ts";
import { contentOf, forgetContent } from "../../privacy/forgotten-event.ts";
import { isFoundIn, isFoundInText, type TextFinder } from "../../privacy/forgotten-text.ts";
import type { Gone } from "../forgetting.ts";
import type { Database, Row } from "./database.ts";
import { ask, askForCall, turnKey } from "./memory-outbox.ts";
import { createTurnNumbers } from "./number-turns.ts";
import { type DirtySession, markDirty, projectSession } from "./project-session.ts";
import { fromRow, toJson } from "./put-fact.ts";
import { OWN_LOG } from "./stream-offsets.ts";

interface Touched {
  readonly dirty: Map<string, DirtySession>;
  /** By their key: session and prompt. */
  readonly turns: Map<string, { readonly sessionId: string; readonly promptId: string | null }>;
}

/** Cuts facts and makes again what was made of them. Gives the sessions they are of. Within a transaction. */
export function cutFacts(db: Database, ids: readonly string[], gone: Gone): string[] {
  const touched: Touched = { dirty: new Map(), turns: new Map() };
  for (const id of ids) cutFact(db, id, gone, touched);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  for (const [sessionId, session] of touched.dirty) {
    if (sessionId !== UNKNOWN_SESSION)
      projectSession(db, sessionId, session, new Map(), createTurnNumbers(db, []));
    dropShown(db, sessionId);
  }
  for (const turn of touched.turns.values()) remakeTurn(db, turn.sessionId, turn.promptId);
  return [...touched.dirty.keys()];
}

function cutFact(db: Database, id: string, gone: Gone, touched: Touched): void {
  db.sql("DELETE FROM refused_events WHERE id = ?").run(id);
  const row = db.sql("SELECT event_json, payload_json FROM facts WHERE id = ?").get(id);
  if (row === undefined) return;
  const event = fromRow(row);
  markDirty(touched.dirty, event, new Map());
  const { sessionId, promptId } = event;
  touched.turns.set(turnKey(sessionId, promptId, ""), { sessionId, promptId: promptId ?? null });
  dropItems(db, event);
  const bare = forgetContent(event);
  db.sql("DELETE FROM fact_blobs WHERE fact_id = ?").run(id);
  if (!gone.kept.has(id) || gone.guards.some((finder) => isFoundIn(finder, contentOf(bare)))) {
    db.sql("DELETE FROM facts WHERE id = ?").run(id);
    return;
  }
  const [eventJson, payloadJson] = toJson(bare);
  db.sql(
    "UPDATE facts SET is_private = ?, observation_id = NULL, event_json = ?, payload_json = ? WHERE id = ?",
  ).run(bare["private"] === true ? 1 : 0, eventJson, payloadJson, id);
}

/** What memory has of a fact. */
function dropItems(db: Database, event: HooklineEvent): void {
  const { eventType, toolUseId, id } = event;
  if (eventType === "tool_observation" && toolUseId != null) dropItem(db, callRowId({ ...event, toolUseId }));
  else if (eventType === "turn.start") dropItem(db, rowId("prompt", id));
  else if (eventType === "memory.injected") db.sql("DELETE FROM memory_injections WHERE id = ?").run(id);
  const itemId = event["itemId"];
  if (typeof itemId !== "number") return;
  if (eventType === "memory.item") {
    db.sql("DELETE FROM memory_made WHERE fact_id = ?").run(id);
    remakeItem(db, itemId);
  } else if (eventType === "memory.mark") {
    db.sql("DELETE FROM memory_marks WHERE item_id = ?").run(itemId);
    for (const other of db
      .sql(
        "SELECT id FROM facts WHERE event_type = 'memory.mark' AND id <> ? AND json_extract(event_json, '$.itemId') = ?",
      )
      .all(id, itemId))
      ask(db, { kind: "mark", key: other["id"] as string });
    remakeItem(db, itemId);
  }
}

function dropItem(db: Database, id: number): void {
  for (const table of ["memory_made", "memory_marks"])
    db.sql(`DELETE FROM ${table} WHERE item_id = ?`).run(id);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
}

/** Takes an item away, and asks for it again where there is something to make it of. */
function remakeItem(db: Database, id: number): void {
  const item = db.sql("SELECT session_id FROM memory_items WHERE id = ?").get(id);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(id);
  const call = db.sql("SELECT id FROM facts WHERE observation_id = ?").get(id);
  if (call !== undefined) askForCall(db, call["id"] as string);
  for (const made of db.sql("SELECT fact_id FROM memory_made WHERE item_id = ?").all(id))
    ask(db, { kind: "made", key: made["fact_id"] as string });
  if (item === undefined || call !== undefined) return;
  const sessionId = item["session_id"] as string;
  for (const prompt of db
    .sql("SELECT id, prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start'")
    .all(sessionId)) {
    const [factId, promptId] = [prompt["id"] as string, prompt["prompt_id"] as string | null];
    if (rowId("prompt", factId) === id || rowId("summary", `${sessionId}\n${promptId}`) === id)
      ask(db, { kind: "turn", key: turnKey(sessionId, promptId, factId) });
  }
}

/** The calls of a turn are remembered with the words around them, its summary with all of it. */
function remakeTurn(db: Database, sessionId: string, promptId: string | null): void {
  for (const call of db
    .sql(
      "SELECT id, observation_id FROM facts WHERE session_id = ? AND prompt_id IS ? AND observation_id IS NOT NULL",
    )
    .all(sessionId, promptId)) {
    db.sql("DELETE FROM memory_items WHERE id = ?").run(call["observation_id"] as number);
    askForCall(db, call["id"] as string);
  }
  if (promptId === null) return;
  const summary = rowId("summary", `${sessionId}\n${promptId}`);
  for (const table of ["memory_items", "session_summaries"])
    db.sql(`DELETE FROM ${table} WHERE id = ?`).run(summary);
  ask(db, { kind: "turn", key: turnKey(sessionId, promptId, "") });
}

/** What the monitor keeps of a session is made again from its facts. */
function dropShown(db: Database, sessionId: string): void {
  for (const table of ["session_snapshots", "human_waits"])
    db.sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
}

/** What a session told up to a moment; all of it, if nothing came since. */
export function cutSession(db: Database, sessionId: string, untilIso: string, gone: Gone): string[] {
  const ids = db
    .sql("SELECT id FROM facts WHERE session_id = ? AND timestamp <= ? AND event_type <> 'memory.forgotten'")
    .all(sessionId, untilIso)
    .map((row) => row["id"] as string);
  const isMore = db
    .sql("SELECT 1 FROM facts WHERE session_id = ? AND timestamp > ? LIMIT 1")
    .get(sessionId, untilIso);
  db.sql("DELETE FROM refused_events WHERE json_extract(event_json, '$.sessionId') = ?").run(sessionId);
  if (isMore !== undefined) {
    cutFacts(db, ids, { ...gone, kept: new Set() });
    return [sessionId];
  }
  db.sql("DELETE FROM sdk_sessions WHERE claude_session_id = ?").run(sessionId);
  db.sql("DELETE FROM facts WHERE session_id = ? AND event_type <> 'memory.forgotten'").run(sessionId);
  db.sql("DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM fact_blobs)").run();
  for (const table of ["memory_items", "memory_made", "memory_marks", "memory_injections", "memory_jobs"])
    db.sql(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
  dropShown(db, sessionId);
  return [sessionId];
}

/** Tables of what can be made or read again: their keys, and where words stand. */
const REMADE: readonly (readonly [table: string, keys: readonly string[], texts: readonly string[]])[] = [
  ["memory_items", ["id"], ["content_json", "summary_json"]],
  ["session_summaries", ["id"], ["request", "investigated", "learned", "completed", "next_steps"]],
  ["session_snapshots", ["session_id"], ["search_text", "snapshot_json"]],
  ["human_waits", ["session_id", "wait_id"], ["text"]],
  ["refused_events", ["id"], ["reason", "event_json"]],
  ["memory_jobs", ["turn"], ["last_error"]],
  ["lifecycle_stream_offsets", ["stream_key"], ["stream_key"]],
];

/** Whatever else says a forgotten text goes, and is made again from what is left. */
export function remakeFound(db: Database, guards: readonly TextFinder[]): string[] {
  for (const [table, keys, texts] of REMADE) {
    const isGone = (row: Row): boolean =>
      texts.some((column) => {
        const text = row[column];
        return typeof text === "string" && guards.some((finder) => isFoundInText(finder, text));
      });
    const columns = [...new Set([...keys, ...texts])].join(", ");
    const found: Row[] = [];
    for (const row of db.raw.prepare(`SELECT ${columns} FROM ${table}`).iterate())
      if (row["stream_key"] !== OWN_LOG && isGone(row)) found.push(row);
    for (const row of found) {
      if (table === "memory_items") remakeItem(db, row["id"] as number);
      else
        db.sql(`DELETE FROM ${table} WHERE ${keys.map((key) => `${key} = ?`).join(" AND ")}`).run(
          ...keys.map((key) => row[key] as string | number),
        );
    }
  }
  return [];
}
