import { afterEach, beforeEach, expect, it } from "vitest";
import type { MemoryRows } from "../memory-rows.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteMemoryRows } from "./sqlite-memory-rows.ts";

let db: Database;
const statements: string[] = [];
beforeEach(() => {
  db = openDatabase(":memory:");
  statements.length = 0;
});
afterEach(() => db.close());

/** The query plan of the first statement that `query` runs. */
function planOf(query: (rows: MemoryRows) => unknown): string {
  const sql: Database["sql"] = (text) => {
    statements.push(text);
    return db.sql(text);
  };
  query(sqliteMemoryRows({ ...db, sql }));
  const plan = db.raw.prepare(`EXPLAIN QUERY PLAN ${statements[0]}`).all();
  return plan.map(({ detail }) => detail).join("; ");
}

it.each<[string, (rows: MemoryRows) => unknown, RegExp]>([
  [
    "the facts of a turn by its prompt",
    (rows) => rows.turnFacts({ sessionId: "s", promptId: "p", types: ["turn.end"], limit: 1 }),
    /facts_by_prompt \(prompt_id=\? AND event_type=\?\)/,
  ],
  ["the calls of a turn by its prompt", (rows) => rows.turnItems("s", "p"), /facts_by_prompt \(prompt_id=\?/],
  [
    "the injections of a session by the session",
    (rows) => rows.injections({ sessionId: "s", limit: 1 }),
    /memory_injections_by_session \(session_id=\?\)/,
  ],
  [
    "the compactions of a session by the session",
    (rows) => rows.lastCompaction("s"),
    /facts_by_session \(session_id=\? AND event_type=\?\)/,
  ],
  [
    "the turns of a session by the session",
    (rows) => rows.latestTurn("s"),
    /facts_by_session \(session_id=\? AND event_type=\?\)/,
  ],
])("finds %s, using an index", (_, query, index) => {
  expect(planOf(query)).toMatch(index);
});
