import { rowId } from "../../event/ids.ts";
import { itemFactId } from "../../event/memory-events.ts";
import type {
  ItemOverrides,
  ItemRow,
  MemoryRows,
  NeighbourQuery,
  OutboxEntry,
  RecentItemsQuery,
} from "../memory-rows.ts";
import type { Database } from "./database.ts";
import { turnKey } from "./memory-outbox.ts";
import { ITEM_COLUMNS, toInjection, toItem, toMade, toMark } from "./memory-row-shapes.ts";

type ItemRows = Pick<
  MemoryRows,
  | "turnItems"
  | "sourceOf"
  | "overridesOf"
  | "items"
  | "recentItems"
  | "neighbours"
  | "itemsAfter"
  | "injections"
  | "projects"
>;

/** The items, their sources, and overrides by others. */
export function memoryItemRows(db: Database): ItemRows {
  return {
    turnItems: async (sessionId, promptId) =>
      db
        .sql(
          `SELECT ${ITEM_COLUMNS} FROM memory_items WHERE id IN
             (SELECT observation_id FROM facts WHERE prompt_id = ? AND event_type = 'tool_observation'
                AND session_id = ? AND observation_id IS NOT NULL)
           ORDER BY created_at, id`,
        )
        .all(promptId, sessionId)
        .map(toItem),
    sourceOf: async (item) => sourceOf(db, item),
    overridesOf: async (itemId) => overridesOf(db, itemId),
    items: async (ids) =>
      db
        .sql(`SELECT ${ITEM_COLUMNS} FROM memory_items WHERE id IN (SELECT value FROM json_each(?))`)
        .all(JSON.stringify(ids))
        .map(toItem),
    recentItems: async (query) => recentItems(db, query),
    neighbours: async (query) => neighbours(db, query),
    itemsAfter: async (itemId, limit) =>
      db
        .sql(`SELECT ${ITEM_COLUMNS} FROM memory_items WHERE id > ? ORDER BY id LIMIT ?`)
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
    projects: async (name) => projects(db, name),
  };
}

function sourceOf(db: Database, item: Pick<ItemRow, "id" | "kind" | "sessionId">): OutboxEntry | undefined {
  if (item.kind === "observation") {
    const row = db.sql("SELECT id FROM facts WHERE observation_id = ?").get(item.id);
    return row === undefined ? undefined : { kind: "call", key: row["id"] as string };
  }
  // An id is a hash, so its source is found by trying the few candidates.
  const source = db
    .sql("SELECT id, prompt_id FROM facts WHERE session_id = ? AND event_type = 'turn.start'")
    .all(item.sessionId)
    .find((row) =>
      item.kind === "prompt"
        ? rowId("prompt", row["id"] as string) === item.id
        : rowId("summary", `${item.sessionId}\n${row["prompt_id"]}`) === item.id,
    );
  if (source === undefined) return undefined;
  return {
    kind: "turn",
    key: turnKey(item.sessionId, source["prompt_id"] as string | null, source["id"] as string),
  };
}

function overridesOf(db: Database, itemId: number): ItemOverrides {
  const mark = db.sql("SELECT * FROM memory_marks WHERE item_id = ?").get(itemId);
  return {
    made: db
      .sql("SELECT item_id, made_by, session_id, fact_id, item_json FROM memory_made WHERE item_id = ?")
      .all(itemId)
      .map(toMade),
    mark: mark === undefined ? undefined : toMark(mark),
    isForgotten:
      db.sql("SELECT 1 FROM forgotten WHERE kind = 'fact' AND key = ?").get(itemFactId(itemId, "rules")) !==
      undefined,
  };
}

function recentItems(db: Database, query: RecentItemsQuery): ItemRow[] {
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
    .sql(
      `SELECT ${ITEM_COLUMNS} FROM memory_items WHERE ${where.join(" AND ")} ORDER BY created_at DESC, id LIMIT ?`,
    )
    .all(...values, query.limit)
    .map(toItem);
}

function neighbours(db: Database, { itemId, before, after, within, type }: NeighbourQuery): ItemRow[] {
  const anchor = db.sql(`SELECT ${ITEM_COLUMNS} FROM memory_items WHERE id = ?`).get(itemId);
  if (anchor === undefined) return [];
  const column = within === "session" ? "session_id" : "project";
  const side = (compare: "<" | ">", order: "ASC" | "DESC", limit: number): ItemRow[] =>
    db
      .sql(
        `SELECT ${ITEM_COLUMNS} FROM memory_items WHERE ${column} IS ?1 AND (created_at, id) ${compare} (?2, ?3)
         AND (?5 IS NULL OR type = ?5) ORDER BY created_at ${order}, id ${order} LIMIT ?4`,
      )
      .all(anchor[column] as string | null, anchor["created_at"] as string, itemId, limit, type ?? null)
      .map(toItem);
  return [...side("<", "DESC", before).reverse(), toItem(anchor), ...side(">", "ASC", after)];
}

function projects(db: Database, name: string | undefined): string[] {
  return db
    .sql(
      // Steps through the index from project to project, reading only the newest item of each.
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
    .map((row) => row["project"] as string);
}
