import { afterAll, describe, expect, it } from "vitest";
import { positionAt } from "../../../test/support/position.ts";
import { fromForeignLine } from "../../capture/foreign-event.ts";
import { toLine } from "../../event/line.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const store = openSqliteStore(":memory:");
afterAll(() => store.close());

const lifecycleEvents = [
  { eventType: "session.lifecycle", phase: "started" },
  { eventType: "turn.start", prompt: "go", promptId: "p" },
  { eventType: "skill.lifecycle", phase: "in_progress", skillName: "spec", turnSeq: 42 },
  { eventType: "skill.lifecycle", phase: "completed", skillName: "spec", turnSeq: null, promptId: "p" },
  { eventType: "skill.lifecycle", phase: "completed", skillName: "odd", turnSeq: "42", promptId: "p" },
].map((fields, at) => ({
  id: `id-${at}`,
  occurredAtIso: `2026-02-18T13:10:0${at}.000Z`,
  sessionId: "sess-123",
  provider: "claude",
  projectPath: "/Users/pray/work/js/kw-chat",
  ...fields,
}));
const lines = lifecycleEvents.map((line) => toLine(fromForeignLine(JSON.stringify(line))!));
await store.facts.apply({ lines, part: 1, next: positionAt(1) });

const rows = (sql: string): Record<string, unknown>[] => store.db.raw.prepare(sql).all();

describe("turn_seq of a skill", () => {
  it("is the stream's own number if it is an integer, and ours otherwise, in the view and in API events", async () => {
    const sql = "SELECT turn_seq FROM skill_lifecycle_events ORDER BY occurred_at_iso";
    expect(rows(sql).map((row) => row["turn_seq"])).toEqual([42, 1, 1]);
    const events = (await store.facts.events({ after: 0, limit: 10 })).map(({ event }) => event);
    const skills = events.filter(({ eventType }) => eventType === "skill.lifecycle");
    expect(skills.map((event) => event["turnSeq"])).toEqual([42, 1, 1]);
  });
});

describe("the newest lifecycle events of a session", () => {
  it.each([
    ["session_lifecycle_events", "idx_session_events_time"],
    ["skill_lifecycle_events", "idx_skill_events_session_time"],
  ])("of %s are read from %s without a sort", (view, index) => {
    const plan = rows(
      `EXPLAIN QUERY PLAN SELECT * FROM ${view} WHERE session_id = 'sess-123' ORDER BY occurred_at_iso DESC LIMIT 1`,
    ).map((row) => String(row["detail"]));
    expect(plan).toEqual([expect.stringContaining(`USING INDEX ${index} (session_id=?)`)]);
  });
});

describe("the projects view", () => {
  it("finds a project by its short name", () => {
    const sql = `SELECT claude_session_id FROM sdk_sessions JOIN projects USING (project) WHERE name = 'kw-chat'`;
    expect(rows(sql)).toEqual([{ claude_session_id: "sess-123" }]);
    expect(rows("SELECT name, project, sessions FROM projects")).toEqual([
      { name: "kw-chat", project: "/Users/pray/work/js/kw-chat", sessions: 1 },
    ]);
  });
});

describe("sdk_sessions of a fork", () => {
  const inherited = (id: string, second: number) => ({
    id,
    sessionId: "fork",
    occurredAtIso: `2026-02-18T10:00:0${second}.000Z`,
    eventType: "agent.event",
    name: "inherited-message",
    data: { messageId: id },
  });
  const ownEvents = [
    { id: "f-3", eventType: "tool.start", toolUseId: "t1", occurredAtIso: "2026-02-18T15:00:01.000Z" },
    { id: "f-4", eventType: "turn.start", prompt: "go", occurredAtIso: "2026-02-18T15:00:02.000Z" },
  ].map((event) => ({ ...event, sessionId: "fork" }));
  const copies = [inherited("f-1", 1), inherited("f-2", 2)];
  const createdAt = "SELECT created_at FROM sdk_sessions WHERE claude_session_id = 'fork'";

  it.each([
    ["before", [...copies, ...ownEvents]],
    ["after", [...ownEvents, ...copies]],
    ["between", [copies[0]!, ownEvents[0]!, copies[1]!, ownEvents[1]!]],
  ])("starts with its own first event, whenever its copies arrive (%s)", async (_when, events) => {
    const fresh = openSqliteStore(":memory:");
    for (const [at, event] of events.entries()) {
      const complete = { provider: "claude", projectPath: "/p", ...event };
      const line = toLine(fromForeignLine(JSON.stringify(complete))!);
      await fresh.facts.apply({ lines: [line], part: 1, next: positionAt(at + 1) });
    }
    expect(fresh.db.raw.prepare(createdAt).all()).toEqual([{ created_at: "2026-02-18T15:00:01.000Z" }]);
    await fresh.close();
  });
});
