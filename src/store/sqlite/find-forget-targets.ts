import { setImmediate as nextTurn } from "node:timers/promises";
import { UNKNOWN_SESSION } from "../../event/event.ts";
import { callFactId, rowId } from "../../event/ids.ts";
import { itemFactId } from "../../event/memory-events.ts";
import { contentOf } from "../../privacy/forgotten-event.ts";
import { isFoundIn, isFoundInJson, isFoundInText, type TextFinder } from "../../privacy/forgotten-text.ts";
import {
  type ForgetRequest,
  isInScope,
  isTextOnly,
  mentionsFile,
  targetsWholeSessions,
} from "../forget-request.ts";
import type { ForgetTargets } from "../forgetting.ts";
import type { Database, Row } from "./database.ts";
import { eventFromRow } from "./upsert-fact.ts";

/** Rows read before yielding to other work. */
const SLICE_ROWS = 500;

/** `logged` are facts whose text is in the log, but no longer in the database. */
export async function findForgetTargets(
  db: Database,
  request: ForgetRequest,
  finder: TextFinder | undefined,
  logged: ReadonlySet<string>,
): Promise<ForgetTargets> {
  if (targetsWholeSessions(request)) return findWholeSessions(db, request);
  const { ids, file } = request;
  const facts = new Set<string>();
  const selectedItems = ids === undefined ? new Set<number>() : itemsInScope(db, request, ids, finder);
  const items = new Set(selectedItems);
  /** Sessions with matching facts: what was derived there is rebuilt without them. */
  const sessions = new Set<string>();
  const candidateIds =
    ids === undefined ? undefined : [...ids.flatMap((id) => factsOfItem(db, id)), ...memoryEventsOf(db, ids)];
  const projects = projectsOf(db);
  for await (const row of eachFact(db, request, "event_json, payload_json", candidateIds)) {
    const id = row["id"] as string;
    if (!isInScope(request, scopeOf(row, projects))) continue;
    if (finder !== undefined && !logged.has(id) && !isInRow(db, row, finder)) continue;
    if (file !== undefined && !mentionsFile(eventFromRow(row), file)) continue;
    facts.add(id);
    sessions.add(row["session_id"] as string);
    for (const other of finder === undefined ? factsOfSameCall(db, row) : pendingCallEnd(db, row))
      facts.add(other);
    for (const item of itemsOf(row)) items.add(item);
    for (const other of modelSummary(db, row)) facts.add(other);
  }
  if (isTextOnly(request)) for (const id of logged) if (!isFact(db, id)) facts.add(id);
  if (finder !== undefined && ids === undefined && file === undefined) {
    // Text found in no fact was composed by our rules: then everything it may derive from is forgotten.
    for (const { id, sessionId } of await findItems(db, request, finder)) {
      if (sessions.has(sessionId)) continue;
      items.add(id);
      for (const fact of factsOfItem(db, id, true)) facts.add(fact);
    }
  }
  if (facts.size > 0) for (const id of ids ?? []) items.add(id);
  for (const fact of memoryEventsOf(db, [...items])) facts.add(fact);
  for (const id of items) {
    // An earlier export must not come back as someone else's item.
    for (const source of ["import", "model"] as const) facts.add(itemFactId(id, source));
  }
  return { facts, sessions: new Set(), items: selectedItems };
}

async function findWholeSessions(db: Database, request: ForgetRequest): Promise<ForgetTargets> {
  const bySession = new Map<string, { readonly matching: string[]; isWhole: boolean }>();
  const projects = projectsOf(db);
  for await (const row of eachFact(db, request, "NULL")) {
    const scope = scopeOf(row, projects);
    let session = bySession.get(scope.sessionId);
    if (session === undefined) {
      session = { matching: [], isWhole: scope.sessionId !== UNKNOWN_SESSION };
      bySession.set(scope.sessionId, session);
    }
    if (isInScope(request, scope)) session.matching.push(row["id"] as string);
    else session.isWhole = false;
  }
  const facts = new Set<string>();
  const sessions = new Set<string>();
  for (const [sessionId, { matching, isWhole }] of bySession) {
    if (isWhole && matching.length > 0) sessions.add(sessionId);
    else for (const id of matching) facts.add(id);
  }
  return { facts, sessions, items: new Set() };
}

/** All facts except tombstones, or a subset of them, in slices. */
async function* eachFact(
  db: Database,
  { session }: ForgetRequest,
  extraColumns: string,
  ids?: readonly string[],
): AsyncGenerator<Row> {
  const idFilter = ids === undefined ? "" : "AND id IN (SELECT value FROM json_each(?3))";
  const params = ids === undefined ? [] : [JSON.stringify(ids)];
  let seq = 0;
  for (;;) {
    const rows = db
      .sql(
        `SELECT seq, id, event_type, session_id, provider, project_path, timestamp, prompt_id, tool_use_id, observation_id, ${extraColumns}
         FROM facts WHERE seq > ?1 AND (?2 IS NULL OR session_id = ?2) ${idFilter} ORDER BY seq LIMIT ${SLICE_ROWS}`,
      )
      .all(seq, session ?? null, ...params);
    if (rows.length === 0) return;
    for (const row of rows) if (row["event_type"] !== "memory.forgotten") yield row;
    seq = Number(rows.at(-1)!["seq"]);
    await nextTurn();
  }
}

function projectsOf(db: Database): ReadonlyMap<string, string | null> {
  return new Map(
    db
      .sql("SELECT claude_session_id AS id, project FROM sdk_sessions")
      .all()
      .map((row) => [row["id"] as string, row["project"] as string | null]),
  );
}

function scopeOf(row: Row, projects: ReadonlyMap<string, string | null>) {
  const sessionId = row["session_id"] as string;
  const eventProject = row["project_path"] as string | null;
  return { sessionId, projects: [eventProject, projects.get(sessionId)], atIso: row["timestamp"] as string };
}

function isInRow(db: Database, row: Row, finder: TextFinder): boolean {
  const texts = [row["event_json"], row["payload_json"]];
  if (texts.some((text) => typeof text === "string" && isFoundInText(finder, text)))
    if (isFoundIn(finder, contentOf(eventFromRow(row)))) return true;
  return db
    .sql("SELECT content FROM blobs WHERE hash IN (SELECT hash FROM fact_blobs WHERE fact_id = ?)")
    .all(row["id"] as string)
    .some((blob) => isFoundInJson(finder, blob["content"] as string));
}

/** The other facts of a call: its start, permission request and end. */
function factsOfSameCall(db: Database, row: Row): string[] {
  if (row["tool_use_id"] === null) return [];
  return [
    ...db
      .sql("SELECT id FROM facts WHERE session_id = ? AND tool_use_id = ?")
      .all(row["session_id"] as string, row["tool_use_id"] as string)
      .map((other) => other["id"] as string),
    ...pendingCallEnd(db, row),
  ];
}

/** A running call (possibly the one requesting this) reports its input again when it ends. */
function pendingCallEnd(db: Database, row: Row): string[] {
  if (row["event_type"] !== "tool.start" || row["tool_use_id"] === null) return [];
  const end = callFactId(
    {
      provider: row["provider"] as string,
      sessionId: row["session_id"] as string,
      toolUseId: row["tool_use_id"] as string,
    },
    "end",
  );
  return isFact(db, end) ? [] : [end];
}

function isFact(db: Database, id: string): boolean {
  return db.sql("SELECT 1 FROM facts WHERE id = ?").get(id) !== undefined;
}

/** A model's summary of a turn may repeat any of its facts. */
function modelSummary(db: Database, row: Row): string[] {
  if (row["prompt_id"] === null) return [];
  const id = itemFactId(rowId("summary", `${row["session_id"]}\n${row["prompt_id"]}`), "model");
  return isFact(db, id) ? [id] : [];
}

/** The items derived directly from a fact. */
function itemsOf(row: Row): number[] {
  if (row["observation_id"] !== null) return [row["observation_id"] as number];
  return row["event_type"] === "turn.start" ? [rowId("prompt", row["id"] as string)] : [];
}

/**
 * The facts an item derives from: all facts of a call; the prompt; for a summary, the end of its turn, or the
 * whole turn.
 */
function factsOfItem(db: Database, id: number, isWholeTurn = false): string[] {
  const call = db
    .sql("SELECT event_type, session_id, provider, tool_use_id FROM facts WHERE observation_id = ?")
    .get(id);
  if (call !== undefined) return factsOfSameCall(db, call);
  const item = db.sql("SELECT session_id FROM memory_items WHERE id = ?").get(id) ?? promptSession(db, id);
  if (item === undefined) return [];
  const sessionId = item["session_id"] as string;
  const prompts = db
    .sql("SELECT id, prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start'")
    .all(sessionId);
  const facts = prompts.map((row) => row["id"] as string).filter((prompt) => rowId("prompt", prompt) === id);
  const turn = prompts.find((row) => rowId("summary", `${sessionId}\n${row["prompt_id"]}`) === id);
  if (turn !== undefined) {
    const types = isWholeTurn ? "1" : "event_type IN ('turn.end', 'turn.failed')";
    facts.push(
      ...db
        .sql(`SELECT id FROM facts WHERE prompt_id = ? AND session_id = ? AND ${types}`)
        .all(turn["prompt_id"] as string, sessionId)
        .map((row) => row["id"] as string),
    );
  }
  return facts;
}

function promptSession(db: Database, id: number): Row | undefined {
  return db
    .sql(
      `SELECT s.claude_session_id AS session_id FROM user_prompts p JOIN sdk_sessions s ON s.id = p.session_id
       WHERE p.id = ?`,
    )
    .get(id);
}

/** Events memory itself wrote about items: created by others, marked, or injected by title. */
function memoryEventsOf(db: Database, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  return db
    .sql(
      `SELECT id FROM facts WHERE event_type IN ('memory.item', 'memory.mark')
         AND json_extract(event_json, '$.itemId') IN (SELECT value FROM json_each(?1))
       UNION ALL
       SELECT id FROM facts WHERE event_type = 'memory.injected' AND EXISTS
         (SELECT 1 FROM json_each(event_json, '$.injection.items') injected
          WHERE json_extract(injected.value, '$.id') IN (SELECT value FROM json_each(?1)))`,
    )
    .all(JSON.stringify(ids))
    .map((row) => row["id"] as string);
}

/** The items that match the rest of the request. */
function itemsInScope(
  db: Database,
  request: ForgetRequest,
  ids: readonly number[],
  finder: TextFinder | undefined,
): Set<number> {
  const { file } = request;
  const rows = db
    .sql(`SELECT ${ITEM_SCOPE_COLUMNS} FROM memory_items WHERE id IN (SELECT value FROM json_each(?))`)
    .all(JSON.stringify(ids))
    .filter((row) => isItemInScope(request, row))
    .filter((row) => finder === undefined || isInItem(row, finder))
    .filter((row) => file === undefined || mentionsFile(JSON.parse(row["content_json"] as string), file));
  return new Set(rows.map((row) => row["id"] as number));
}

const ITEM_SCOPE_COLUMNS = "id, session_id, project, created_at, content_json, summary_json";

function isItemInScope(request: ForgetRequest, row: Row): boolean {
  const [sessionId, project, atIso] = [row["session_id"], row["project"], row["created_at"]] as string[];
  return isInScope(request, { sessionId: sessionId!, projects: [project], atIso: atIso! });
}

function isInItem(row: Row, finder: TextFinder): boolean {
  const texts = [row["content_json"], row["summary_json"]];
  return texts.some((text) => typeof text === "string" && isFoundInJson(finder, text, withoutType));
}

/** Items whose derived text matches. */
async function findItems(
  db: Database,
  request: ForgetRequest,
  finder: TextFinder,
): Promise<{ id: number; sessionId: string }[]> {
  const found: { id: number; sessionId: string }[] = [];
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = db
      .sql(`SELECT ${ITEM_SCOPE_COLUMNS} FROM memory_items WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS}`)
      .all(last);
    if (rows.length === 0) return found;
    for (const row of rows) {
      if (isItemInScope(request, row) && isInItem(row, finder))
        found.push({ id: row["id"] as number, sessionId: row["session_id"] as string });
    }
    last = rows.at(-1)!["id"] as number;
    await nextTurn();
  }
}

/** `command`, `test`, `decision`: types come from our own fixed vocabulary. */
function withoutType(content: unknown): unknown {
  return { ...(content as object), type: null };
}
