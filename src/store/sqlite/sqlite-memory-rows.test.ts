import { afterEach, beforeEach, expect, it } from "vitest";
import type { MemoryRows } from "../memory-rows.ts";
import { type Database, openDatabase } from "./database.ts";
import { sqliteMemoryRows } from "./sqlite-memory-rows.ts";

let db: Database;
const asked: string[] = [];
beforeEach(() => {
  db = openDatabase(":memory:");
  asked.length = 0;
});
afterEach(() => db.close());

/** The query plan of the first statement that `ask` runs. */
function planOf(ask: (rows: MemoryRows) => unknown): string {
  const sql: Database["sql"] = (text) => {
    asked.push(text);
    return db.sql(text);
  };
  ask(sqliteMemoryRows({ ...db, sql }));
  const plan = db.raw.prepare(`EXPLAIN QUERY PLAN ${asked[0]}`).all();
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
    "what a session was given by the session",
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
])("finds %s, whatever else the database holds", (_, ask, index) => {
  expect(planOf(ask)).toMatch(index);
});
