import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { positionAt } from "../../../test/support/position.ts";
import { redactEvent } from "../../capture/redact-event.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { factId } from "../../event/ids.ts";
import { toLine } from "../../event/line.ts";
import { USER_PROMPTS } from "./project-session.ts";
import { openSqliteStore, type SqliteStore } from "./sqlite-store.ts";

let dir: string;
let path: string;
let store: SqliteStore;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-store-"));
  path = join(dir, "hookline.db");
  store = openSqliteStore(path);
});
afterEach(async () => {
  if (store.db.raw.isOpen) await store.close();
  rmSync(dir, { recursive: true, force: true });
});

let seconds = 0;
function event(eventType: string, more: Partial<HooklineEvent> = {}): HooklineEvent {
  seconds++;
  return {
    v: 1,
    id: `id-${seconds}`,
    eventType,
    occurredAtIso: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: "/p",
    cwd: "/p",
    origin: "hook",
    ...more,
  };
}

const started = (more?: Partial<HooklineEvent>) => event("session.lifecycle", { phase: "started", ...more });
const prompt = (text: string, promptId: string, more?: Partial<HooklineEvent>) =>
  event("turn.start", { prompt: text, promptId, ...more });
const call = (toolUseId: string, more: Partial<HooklineEvent> = {}, toolInput: unknown = { a: 1 }) =>
  event("tool_observation", {
    id: factId("tool", toolUseId, "end"),
    toolUseId,
    payload: { toolName: "Bash", toolInput, toolOutput: `out of ${toolUseId}`, success: true },
    ...more,
  });

let offset = 0;
function apply(...events: readonly (HooklineEvent | string)[]) {
  const lines = events.map((line) => (typeof line === "string" ? line : toLine(line)));
  offset += lines.length;
  return store.facts.apply({ lines, part: 1, next: positionAt(offset) });
}

const rows = (sql: string) => store.db.raw.prepare(sql).all();
const count = (table: string) => rows(`SELECT count(*) AS n FROM ${table}`)[0]!["n"];

describe("openSqliteStore", () => {
  it("commits a batch and its position together, or neither", async () => {
    const other = new DatabaseSync(path);
    other.exec(
      "CREATE TRIGGER fails BEFORE UPDATE ON lifecycle_stream_offsets BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
    );
    await apply(started());
    const before = await store.facts.position();
    await expect(apply(prompt("hello", "p"))).rejects.toThrow("no");
    expect(await store.facts.position()).toEqual(before);
    expect(count("facts")).toBe(1);
    other.exec("DROP TRIGGER fails");
    other.close();
    await apply(prompt("hello", "p"));
    expect(count("facts")).toBe(2);
  });

  it("is unchanged by a repeated batch", async () => {
    const events = [started(), prompt("hello", "p"), call("t", { promptId: "p" })];
    await apply(...events);
    const before = rows("SELECT * FROM facts");
    const observations = rows("SELECT * FROM observations");
    expect((await apply(...events)).events).toBe(3);
    expect(rows("SELECT * FROM facts")).toEqual(before);
    expect(rows("SELECT * FROM observations")).toEqual(observations);
  });

  it("stores the same with and without parsed events", async () => {
    const events = [
      started({ turnSeq: null }),
      prompt("hello", "p"),
      event("tool.start", {
        toolUseId: "t",
        payload: { metadata: { command: "x" }, toolInput: { a: 1, b: [] }, toolName: "Bash" },
      }),
      event("tool.start", {
        toolUseId: "u",
        payload: { toolInput: { text: "x".repeat(5_000) }, toolName: "Write" },
      }),
      event("tool.start", {
        toolUseId: "w",
        payload: { toolInput: { b: 1, a: 1 }, toolName: "Write", toolOutput: "a\0" },
      }),
      call("t", { promptId: "p" }),
    ].map(redactEvent);
    const copy = structuredClone(events);
    const lines = events.map(toLine);
    const next = positionAt(1);
    await store.facts.apply({ lines, events, part: 1, next });
    const stored = rows("SELECT * FROM facts");
    expect(events).toEqual(copy);
    store.db.raw.exec("DELETE FROM facts");
    await store.facts.apply({ lines: lines.map((line) => line.replace("{", "{ ")), part: 1, next });
    expect(rows("SELECT * FROM facts")).toEqual(stored);
  });

  it("reports invalid lines, skips blank ones, and stores the rest", async () => {
    const result = await apply(started(), "{half", "", "   ", '{"no":"event"}', prompt("x", "p"));
    expect(result.invalidLines).toEqual(["{half", '{"no":"event"}']);
    expect(result.events).toBe(2);
  });

  it("refuses a database of a newer version for reading and writing, and leaves it unchanged", async () => {
    await store.close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    for (const readOnly of [false, true]) {
      expect(() => openSqliteStore(path, { readOnly })).toThrow(
        expect.objectContaining({ code: "store_newer", message: expect.stringContaining("schema 999") }),
      );
    }
    const after = new DatabaseSync(path);
    expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 999 });
    after.close();
  });

  it("throws when there is no database to read", async () => {
    expect(() => openSqliteStore(join(dir, "none.db"), { readOnly: true })).toThrow(
      expect.objectContaining({ code: "store_missing" }),
    );
  });

  it("deletes a session with everything that depends on it, and nothing of another", async () => {
    const large = { content: "x".repeat(10_000) };
    for (const sessionId of ["s", "other"]) {
      await apply(
        started({ sessionId }),
        prompt("hello", `p-${sessionId}`, { sessionId }),
        call(`t-${sessionId}`, { sessionId, promptId: `p-${sessionId}` }, large),
      );
    }
    const summary = store.db.raw.prepare(
      `INSERT INTO session_summaries (session_id, request, created_at) SELECT id, 'r', '2026' FROM sdk_sessions`,
    );
    summary.run();
    expect(count("blobs")).toBe(1);
    // Deletes with plain SQL, as a user may.
    store.db.raw.prepare("DELETE FROM sdk_sessions WHERE claude_session_id = 's'").run();
    for (const table of ["sdk_sessions", "user_prompts", "observations", "session_summaries"])
      expect([table, count(table)]).toEqual([table, 1]);
    expect(rows("SELECT DISTINCT session_id FROM events")).toEqual([{ session_id: "other" }]);
    expect(rows("SELECT DISTINCT session_id FROM session_lifecycle_events")).toEqual([
      { session_id: "other" },
    ]);
    expect(count("fact_blobs")).toBe(1);
    await store.facts.removeSession("other");
    for (const table of ["sdk_sessions", "facts", "fact_blobs", "blobs"])
      expect([table, count(table)]).toEqual([table, 0]);
  });

  it("stores a large input once, and returns it in full", async () => {
    const large = { file_path: "/x", content: "line\n".repeat(3_000) };
    await apply(call("t1", {}, large), call("t2", {}, large), call("t3", {}, { small: true }));
    expect(count("blobs")).toBe(1);
    expect(count("fact_blobs")).toBe(2);
    const [preview] = rows("SELECT tool_input_json FROM observations WHERE tool_input_json LIKE '%$blob%'");
    expect((preview!["tool_input_json"] as string).length).toBeLessThan(2_000);
    const inputs: unknown[] = [];
    for await (const fact of store.facts.factsOf([1])) inputs.push(fact.payload?.toolInput);
    expect(inputs).toEqual([large, large, { small: true }]);
  });

  it("numbers parallel calls by their place in the message, and prompts by time", async () => {
    await apply(
      prompt("second", "p2", { occurredAtIso: "2026-01-01T02:00:00.000Z" }),
      call("b", { promptId: "p1", batchKey: "a", batchIndex: 1, occurredAtIso: "2026-01-01T01:00:01.000Z" }),
      call("a", { promptId: "p1", batchKey: "a", batchIndex: 0, occurredAtIso: "2026-01-01T01:00:02.000Z" }),
      call("c", { promptId: "p2", occurredAtIso: "2026-01-01T02:00:01.000Z" }),
    );
    await apply(prompt("first", "p1", { occurredAtIso: "2026-01-01T01:00:00.000Z" }));
    const numbered = rows(
      `SELECT json_extract(payload_json, '$.toolOutput') AS o, json_extract(payload_json, '$.promptIndex') AS p,
         json_extract(payload_json, '$.toolIndex') AS t FROM events WHERE event_type = 'tool_observation' ORDER BY p, t`,
    );
    expect(numbered).toEqual([
      { o: "out of a", p: 1, t: 1 },
      { o: "out of b", p: 1, t: 2 },
      { o: "out of c", p: 2, t: 1 },
    ]);
    expect(rows("SELECT first_user_prompt, prompt_counter FROM sdk_sessions")).toEqual([
      { first_user_prompt: "first", prompt_counter: 2 },
    ]);
  });

  it("finds the prompts of a session through an index", () => {
    const plan = store.db.sql(`EXPLAIN QUERY PLAN ${USER_PROMPTS}`).all("s");
    expect(JSON.stringify(plan)).toContain("facts_by_session (session_id=? AND event_type=?)");
  });

  it("leaves no bytes of a deleted session in its file", async () => {
    await apply(
      started(),
      prompt("the unmistakable words", "p"),
      call("t", {}, { content: "unmistakable ".repeat(1_000) }),
    );
    store.db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    expect(readFileSync(path).includes("unmistakable")).toBe(true);
    await store.facts.removeSession("s");
    expect(readFileSync(`${path}-wal`).includes("unmistakable")).toBe(false);
    expect(readFileSync(path).includes("unmistakable")).toBe(false);
  });
});
