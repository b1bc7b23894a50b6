import { setImmediate as nextTurn } from "node:timers/promises";
import { UNKNOWN_SESSION } from "../../event/event.ts";
import { callFactId, factId, rowId } from "../../event/ids.ts";
import { contentOf } from "../../privacy/forgotten-event.ts";
import { isFoundIn, isFoundInJson, isFoundInText, type TextFinder } from "../../privacy/forgotten-text.ts";
import { type ForgetRequest, isBroad, isInScope, isTextAlone, touchesFile } from "../forget-request.ts";
import type { Found } from "../forgetting.ts";
import type { Database, Row } from "./database.ts";
import { fromRow } from "./put-fact.ts";

/** Rows looked at before others have their turn. */
const SLICE = 500;

/** `logged` are facts of which the log tells what is looked for, though nothing of it is left in the database. */
export async function findForgotten(
  db: Database,
  request: ForgetRequest,
  finder: TextFinder | undefined,
  logged: ReadonlySet<string>,
): Promise<Found> {
  if (isBroad(request)) return findBroad(db, request);
  const { ids, file } = request;
  const facts = new Set<string>();
  const items = new Set<number>();
  /** Where facts were found: what was made there is made again without them. */
  const sessions = new Set<string>();
  const named =
    ids === undefined ? undefined : [...ids.flatMap((id) => factsOfItem(db, id)), ...toldOf(db, ids)];
  const projects = projectsOf(db);
  for await (const row of eachFact(db, request, "event_json, payload_json", named)) {
    const id = row["id"] as string;
    if (!isInScope(request, placeOf(row, projects))) continue;
    if (finder !== undefined && !logged.has(id) && !isInRow(db, row, finder)) continue;
    if (file !== undefined && !touchesFile(fromRow(row), file)) continue;
    facts.add(id);
    sessions.add(row["session_id"] as string);
    for (const other of finder === undefined ? siblings(db, row) : notYetTold(db, row)) facts.add(other);
    for (const item of itemsOf(row)) items.add(item);
    for (const other of modelSummary(db, row)) facts.add(other);
  }
  if (isTextAlone(request)) for (const id of logged) if (!isFact(db, id)) facts.add(id);
  if (finder !== undefined && ids === undefined && file === undefined) {
    // What is not in any fact was put together by our rules: then all it may be made of goes.
    for (const { id, sessionId } of await findItems(db, request, finder)) {
      if (sessions.has(sessionId)) continue;
      items.add(id);
      for (const fact of factsOfItem(db, id, true)) facts.add(fact);
    }
  }
  if (facts.size > 0) for (const id of ids ?? []) items.add(id);
  for (const fact of toldOf(db, [...items])) facts.add(fact);
  for (const id of items) {
    // What was exported before must not come back as another's item.
    for (const maker of ["import", "model"]) facts.add(factId("memory.item", String(id), maker));
  }
  return { facts, sessions: new Set() };
}

async function findBroad(db: Database, request: ForgetRequest): Promise<Found> {
  const bySession = new Map<string, { readonly meant: string[]; isWhole: boolean }>();
  const projects = projectsOf(db);
  for await (const row of eachFact(db, request, "NULL")) {
    const place = placeOf(row, projects);
    let session = bySession.get(place.sessionId);
    if (session === undefined) {
      session = { meant: [], isWhole: place.sessionId !== UNKNOWN_SESSION };
      bySession.set(place.sessionId, session);
    }
    if (isInScope(request, place)) session.meant.push(row["id"] as string);
    else session.isWhole = false;
  }
  const facts = new Set<string>();
  const sessions = new Set<string>();
  for (const [sessionId, { meant, isWhole }] of bySession) {
    if (isWhole && meant.length > 0) sessions.add(sessionId);
    else for (const id of meant) facts.add(id);
  }
  return { facts, sessions };
}

/** All facts but the tombstones, or some of them, a few at a time. */
async function* eachFact(
  db: Database,
  { session }: ForgetRequest,
  more: string,
  ids?: readonly string[],
): AsyncGenerator<Row> {
  const among = ids === undefined ? "" : "AND id IN (SELECT value FROM json_each(?3))";
  const given = ids === undefined ? [] : [JSON.stringify(ids)];
  let seq = 0;
  for (;;) {
    const rows = db
      .sql(
        `SELECT seq, id, event_type, session_id, provider, project_path, timestamp, prompt_id, tool_use_id, observation_id, ${more}
         FROM facts WHERE seq > ?1 AND (?2 IS NULL OR session_id = ?2) ${among} ORDER BY seq LIMIT ${SLICE}`,
      )
      .all(seq, session ?? null, ...given);
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

function placeOf(row: Row, projects: ReadonlyMap<string, string | null>) {
  const sessionId = row["session_id"] as string;
  const own = row["project_path"] as string | null;
  return { sessionId, projects: [own, projects.get(sessionId)], atIso: row["timestamp"] as string };
}

function isInRow(db: Database, row: Row, finder: TextFinder): boolean {
  const texts = [row["event_json"], row["payload_json"]];
  if (texts.some((text) => typeof text === "string" && isFoundInText(finder, text)))
    if (isFoundIn(finder, contentOf(fromRow(row)))) return true;
  return db
    .sql("SELECT content FROM blobs WHERE hash IN (SELECT hash FROM fact_blobs WHERE fact_id = ?)")
    .all(row["id"] as string)
    .some((blob) => isFoundInJson(finder, blob["content"] as string));
}

/** The other facts of a call: that it began, was asked about, and ended. */
function siblings(db: Database, row: Row): string[] {
  if (row["tool_use_id"] === null) return [];
  return [
    ...db
      .sql("SELECT id FROM facts WHERE session_id = ? AND tool_use_id = ?")
      .all(row["session_id"] as string, row["tool_use_id"] as string)
      .map((other) => other["id"] as string),
    ...notYetTold(db, row),
  ];
}

/** A call that still runs (it may be the one that asks to forget) tells its input again when it ends. */
function notYetTold(db: Database, row: Row): string[] {
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

/** What a model made of a whole turn may say what any of its facts said. */
function modelSummary(db: Database, row: Row): string[] {
  if (row["prompt_id"] === null) return [];
  const id = factId(
    "memory.item",
    String(rowId("summary", `${row["session_id"]}\n${row["prompt_id"]}`)),
    "model",
  );
  return isFact(db, id) ? [id] : [];
}

/** The items that stand for a fact. */
function itemsOf(row: Row): number[] {
  if (row["observation_id"] !== null) return [row["observation_id"] as number];
  return row["event_type"] === "turn.start" ? [rowId("prompt", row["id"] as string)] : [];
}

/**
 * The facts an item is made of: of a call all that is told of it, of a prompt the prompt, of a summary how its turn
 * ended, or all of the turn.
 */
function factsOfItem(db: Database, id: number, isWholeTurn = false): string[] {
  const call = db
    .sql("SELECT event_type, session_id, provider, tool_use_id FROM facts WHERE observation_id = ?")
    .get(id);
  if (call !== undefined) return siblings(db, call);
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

/** What memory itself wrote of items: made by others, marked, given to sessions by their titles. */
function toldOf(db: Database, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  return db
    .sql(
      `SELECT id FROM facts WHERE event_type IN ('memory.item', 'memory.mark')
         AND json_extract(event_json, '$.itemId') IN (SELECT value FROM json_each(?1))
       UNION ALL
       SELECT id FROM facts WHERE event_type = 'memory.injected' AND EXISTS
         (SELECT 1 FROM json_each(event_json, '$.injection.items') given
          WHERE json_extract(given.value, '$.id') IN (SELECT value FROM json_each(?1)))`,
    )
    .all(JSON.stringify(ids))
    .map((row) => row["id"] as string);
}

/** Items whose words, made from facts, say what is looked for. */
async function findItems(
  db: Database,
  request: ForgetRequest,
  finder: TextFinder,
): Promise<{ id: number; sessionId: string }[]> {
  const found: { id: number; sessionId: string }[] = [];
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = db
      .sql(
        `SELECT id, session_id, project, created_at, content_json, summary_json FROM memory_items
         WHERE id > ? ORDER BY id LIMIT ${SLICE}`,
      )
      .all(last);
    if (rows.length === 0) return found;
    for (const row of rows) {
      const [sessionId, project, atIso] = [row["session_id"], row["project"], row["created_at"]] as string[];
      if (!isInScope(request, { sessionId: sessionId!, projects: [project], atIso: atIso! })) continue;
      const texts = [row["content_json"], row["summary_json"]];
      if (texts.some((text) => typeof text === "string" && isFoundInJson(finder, text, withoutType)))
        found.push({ id: row["id"] as number, sessionId: sessionId! });
    }
    last = rows.at(-1)!["id"] as number;
    await nextTurn();
  }
}

/** `command`, `test`, `decision`: one of our own few words. */
function withoutType(content: unknown): unknown {
  return { ...(content as object), type: null };
}
