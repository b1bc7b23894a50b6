import type { HooklineEvent } from "../../event/event.ts";
import { callRowId, rowId } from "../../event/ids.ts";
import type {
  ItemRow,
  MemoryRows,
  NeighbourQuery,
  OutboxEntry,
  RecentQuery,
  ToldOfItem,
  ToldSession,
} from "../memory-rows.ts";
import type { Database, Row } from "./database.ts";
import { isCurrent, readOutbox, turnKey } from "./memory-outbox.ts";
import { ITEM, toInjection, toItem, toMade, toMark } from "./memory-row-shapes.ts";
import { fromRow } from "./put-fact.ts";
import { writeMemory } from "./write-memory.ts";

/** Asynchronous in name: each runs to its end when it is called, and no other work comes in between. */
export function sqliteMemoryRows(db: Database): MemoryRows {
  return {
    outbox: async (limit) => readOutbox(db, limit),
    outboxSize: async () => Number(db.sql("SELECT count(*) AS n FROM memory_outbox").get()?.["n"]),
    write: async (made, read) =>
      db.transaction(() => {
        if (!isCurrent(db, read)) return false;
        writeMemory(db, made);
        return true;
      }),
    fact: async (id) => {
      const row = db.sql("SELECT event_json, payload_json FROM facts WHERE id = ?").get(id);
      return row === undefined ? undefined : fromRow(row);
    },
    placeOf: async (factId) => {
      const row = db.sql("SELECT observation_id, prompt_number FROM facts WHERE id = ?").get(factId);
      return {
        observationId: (row?.["observation_id"] ?? null) as number | null,
        promptNumber: (row?.["prompt_number"] ?? null) as number | null,
      };
    },
    callFactId: async (call) =>
      db.sql("SELECT id FROM facts WHERE observation_id = ?").get(callRowId(call))?.["id"] as
        | string
        | undefined,
    turnFacts: async (query) =>
      db
        .sql(
          // By its prompt: without the pluses SQLite would go through the whole session, for each of its calls.
          `SELECT event_json, payload_json FROM facts WHERE prompt_id = ? AND +session_id = ?
             AND event_type IN (SELECT value FROM json_each(?)) AND +timestamp BETWEEN ? AND ?
           ORDER BY timestamp, seq LIMIT ?`,
        )
        .all(
          query.promptId,
          query.sessionId,
          JSON.stringify(query.types),
          query.sinceIso ?? "",
          query.untilIso ?? "~",
          query.limit,
        )
        .map(fromRow),
    turnItems: async (sessionId, promptId) =>
      db
        .sql(
          `SELECT ${ITEM} FROM memory_items WHERE id IN
             (SELECT observation_id FROM facts WHERE prompt_id = ? AND event_type = 'tool_observation'
                AND session_id = ? AND observation_id IS NOT NULL)
           ORDER BY created_at, id`,
        )
        .all(promptId, sessionId)
        .map(toItem),
    prompts: async (sessionId, turn) => {
      const facts =
        "factId" in turn
          ? [turn.factId]
          : db
              .sql(
                "SELECT id FROM facts WHERE prompt_id = ? AND event_type = 'turn.start' AND session_id = ?",
              )
              .all(turn.promptId, sessionId)
              .map((row) => row["id"] as string);
      return facts.flatMap((factId) =>
        db
          .sql("SELECT id, prompt_number, prompt, created_at FROM user_prompts WHERE id = ?")
          .all(rowId("prompt", factId))
          .map((row) => ({
            id: row["id"] as number,
            promptNumber: row["prompt_number"] as number,
            prompt: row["prompt"] as string,
            createdAtIso: row["created_at"] as string,
          })),
      );
    },
    sourceOf: async (item) => sourceOf(db, item),
    toldOf: async (itemId) => toldOf(db, itemId),
    items: async (ids) =>
      db
        .sql(`SELECT ${ITEM} FROM memory_items WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids))
        .map(toItem),
    recentItems: async (query) => recentItems(db, query),
    neighbours: async (query) => neighbours(db, query),
    itemsAfter: async (itemId, limit) =>
      db
        .sql(`SELECT ${ITEM} FROM memory_items WHERE id > ? ORDER BY id LIMIT ?`)
        .all(itemId ?? Number.MIN_SAFE_INTEGER, limit)
        .map(toItem),
    injections: async ({ sessionId, project, limit }) =>
      db
        .sql(
          `SELECT * FROM memory_injections WHERE ${sessionId === undefined ? "?1 IS NULL" : "session_id = ?1"}
             AND (?2 IS NULL OR project = ?2) ORDER BY at DESC LIMIT ?3`,
        )
        .all(sessionId ?? null, project ?? null, limit)
        .map(toInjection),
    projects: async (name) =>
      db
        .sql(
          // From one project to the next by the index, and to the newest of each: not through all their items.
          `WITH RECURSIVE p (project) AS (
             SELECT min(project) FROM memory_items
             UNION ALL SELECT (SELECT min(project) FROM memory_items WHERE project > p.project) FROM p
             WHERE p.project IS NOT NULL)
           SELECT project,
             (SELECT max(t) FROM (SELECT (SELECT max(created_at) FROM memory_items m
                WHERE m.project = p.project AND m.kind = k.value) AS t
              FROM json_each('["observation", "summary", "prompt"]') k)) AS t
           FROM p WHERE project IS NOT NULL
             AND (?1 IS NULL OR project = ?1 OR substr(project, -length(?1) - 1) = '/' || ?1)
           ORDER BY t DESC`,
        )
        .all(name ?? null)
        .map((row) => row["project"] as string),
    callOf: async (observationId) => {
      const row = db
        .sql("SELECT id, event_json, payload_json FROM facts WHERE observation_id = ?")
        .get(observationId);
      if (row === undefined) return undefined;
      const { payload } = fromRow(row) as HooklineEvent;
      return { input: wholeInput(db, payload?.toolInput), output: payload?.toolOutput ?? null };
    },
    sessionOf: async (id) =>
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
    toldSession: async (sessionId) => toldSession(db, sessionId),
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

function toldSession(db: Database, sessionId: string): ToldSession | undefined {
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
  // Only the agent itself knows where its transcript lies.
  const own = db
    .sql(
      "SELECT 1 FROM facts WHERE session_id = ? AND json_extract(event_json, '$.transcriptPath') IS NOT NULL LIMIT 1",
    )
    .get(sessionId);
  return {
    cwd: (last?.["cwd"] ?? first?.["cwd"] ?? null) as string | null,
    prompts: Number(session["prompt_counter"]),
    promptId: (last?.["prompt_id"] ?? null) as string | null,
    isPrivate: last?.["is_private"] === 1,
    tellsItself: own !== undefined,
  };
}

function sourceOf(db: Database, item: Pick<ItemRow, "id" | "kind" | "sessionId">): OutboxEntry | undefined {
  if (item.kind === "observation") {
    const row = db.sql("SELECT id FROM facts WHERE observation_id = ?").get(item.id);
    return row === undefined ? undefined : { kind: "call", key: row["id"] as string };
  }
  // An id is a hash: what it is of is found by trying the few there are.
  const own = db
    .sql("SELECT id, prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start'")
    .all(item.sessionId)
    .find((row) =>
      item.kind === "prompt"
        ? rowId("prompt", row["id"] as string) === item.id
        : rowId("summary", `${item.sessionId}\n${row["prompt_id"]}`) === item.id,
    );
  if (own === undefined) return undefined;
  return {
    kind: "turn",
    key: turnKey(item.sessionId, own["prompt_id"] as string | null, own["id"] as string),
  };
}

function toldOf(db: Database, itemId: number): ToldOfItem {
  const mark = db.sql("SELECT * FROM memory_marks WHERE item_id = ?").get(itemId);
  return {
    made: db
      .sql("SELECT item_id, made_by, session_id, fact_id, item_json FROM memory_made WHERE item_id = ?")
      .all(itemId)
      .map(toMade),
    mark: mark === undefined ? undefined : toMark(mark),
  };
}

function wholeInput(db: Database, input: unknown): unknown {
  const hash = (input as Row | null | undefined)?.["$blob"];
  if (typeof hash !== "string") return input ?? null;
  const content = db.sql("SELECT content FROM blobs WHERE hash = ?").get(hash)?.["content"];
  return typeof content === "string" ? (JSON.parse(content) as unknown) : input;
}

function recentItems(db: Database, query: RecentQuery): ItemRow[] {
  const where = ["created_at >= ?"];
  const values: (string | number)[] = [query.sinceIso ?? ""];
  const add = (condition: string, value: string | number): void => {
    where.push(condition);
    values.push(value);
  };
  if (query.project !== null) add("project = ?", query.project);
  if (query.kinds !== undefined) add("kind IN (SELECT value FROM json_each(?))", JSON.stringify(query.kinds));
  if (query.types !== undefined) add("type IN (SELECT value FROM json_each(?))", JSON.stringify(query.types));
  if (query.pinned !== undefined) add("pinned = ?", query.pinned ? 1 : 0);
  return db
    .sql(`SELECT ${ITEM} FROM memory_items WHERE ${where.join(" AND ")} ORDER BY created_at DESC, id LIMIT ?`)
    .all(...values, query.limit)
    .map(toItem);
}

function neighbours(db: Database, { itemId, before, after, within, type }: NeighbourQuery): ItemRow[] {
  const anchor = db.sql(`SELECT ${ITEM} FROM memory_items WHERE id = ?`).get(itemId);
  if (anchor === undefined) return [];
  const column = within === "session" ? "session_id" : "project";
  const side = (compare: "<" | ">", order: "ASC" | "DESC", limit: number): ItemRow[] =>
    db
      .sql(
        `SELECT ${ITEM} FROM memory_items WHERE ${column} IS ?1 AND (created_at, id) ${compare} (?2, ?3)
         AND (?5 IS NULL OR type = ?5) ORDER BY created_at ${order}, id ${order} LIMIT ?4`,
      )
      .all(anchor[column] as string | null, anchor["created_at"] as string, itemId, limit, type ?? null)
      .map(toItem);
  return [...side("<", "DESC", before).reverse(), toItem(anchor), ...side(">", "ASC", after)];
}
