import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import type { HooklineEvent } from "../event/event.ts";
import { callFactId, callRowId } from "../event/ids.ts";
import { toLine } from "../event/line.ts";
import { memoryInjectedEvent, memoryItemEvent, memoryMarkEvent } from "../event/memory-events.ts";
import { openSqliteStore, type SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { summaryId } from "./build-turn-items.ts";
import { type ItemBuilder, openItemBuilder } from "./item-builder.ts";

let dir: string;
let store: SqliteStore;
let builder: ItemBuilder;
const errors: unknown[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-memory-"));
  store = openSqliteStore(join(dir, "hookline.db"));
  errors.length = 0;
  builder = openItemBuilder({
    rows: store.memory,
    onWritten: () => undefined,
    onDrained: () => undefined,
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await builder.close();
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

let clock = 0;
function event(eventType: string, more: Partial<HooklineEvent> = {}): HooklineEvent {
  clock++;
  return {
    v: 1,
    id: `e-${clock}`,
    eventType,
    occurredAtIso: new Date(Date.UTC(2026, 0, 1) + clock * 1_000).toISOString(),
    sessionId: "s",
    provider: "claude",
    projectPath: "/home/dev/shop",
    cwd: "/home/dev/shop",
    origin: "hook",
    ...more,
  };
}
const started = () => event("session.lifecycle", { phase: "started" });
const prompt = (text: string, promptId: string, more: Partial<HooklineEvent> = {}) =>
  event("turn.start", { prompt: text, promptId, ...more });
const callOf = (toolUseId: string) => ({ provider: "claude", sessionId: "s", toolUseId });
const call = (toolUseId: string, command: string, more: Partial<HooklineEvent> = {}) =>
  event("tool_observation", {
    id: callFactId(callOf(toolUseId), "end"),
    toolUseId,
    promptId: "p",
    payload: {
      toolName: "Bash",
      toolInput: { command },
      toolOutput: "done",
      success: true,
      metadata: { command, exitCode: 0 },
    },
    ...more,
  });
const message = (id: string, blocks: object, more: Partial<HooklineEvent> = {}) =>
  event("assistant.message", { id, promptId: "p", origin: "transcript", blocks, ...more });
const turnEnd = (text: string) => event("turn.end", { promptId: "p", lastAssistantMessage: text });

let offset = 0;
async function applyAndBuild(...events: HooklineEvent[]): Promise<void> {
  offset += events.length;
  await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(offset) });
  await builder.drain();
  expect(await store.memory.outboxSize()).toBe(0);
}
const rows = (sql: string) => store.db.raw.prepare(sql).all();
const item = (id: number) => rows(`SELECT * FROM memory_items WHERE id = ${id}`)[0];
const observation = (toolUseId: string) => item(callRowId(callOf(toolUseId)));

describe("openItemBuilder", () => {
  it("ignores a machine prompt with a trivial answer, and summarises one with a result", async () => {
    const notice = (promptId: string) =>
      prompt("<task-notification><summary>Build completed</summary></task-notification>", promptId, {
        machine: true,
      });
    const answer = (promptId: string, text: string) =>
      event("turn.end", { promptId, lastAssistantMessage: text });
    await applyAndBuild(started(), notice("p1"), answer("p1", "Done."));
    expect(rows("SELECT kind FROM memory_items")).toEqual([]);
    const found = "The build needs Node 24: the lock file was written by npm 11.";
    await applyAndBuild(notice("p2"), answer("p2", found));
    const [items] = rows("SELECT kind, summary_json FROM memory_items");
    expect(items).toMatchObject({ kind: "summary" });
    expect(JSON.parse(String(items!["summary_json"]))).toMatchObject({ request: null });
  });

  it("creates an observation for every call that is not skipped, with the text around it", async () => {
    await applyAndBuild(
      started(),
      prompt("deploy it", "p"),
      call("t1", "npm run deploy"),
      call("t2", "x", { payload: { toolName: "TodoWrite", toolInput: {} } }),
      message("m", {
        0: { type: "text", text: "Now I deploy to staging." },
        1: { type: "tool_use", toolUseId: "t1" },
      }),
    );
    expect(rows("SELECT kind FROM memory_items ORDER BY kind")).toEqual([
      { kind: "observation" },
      { kind: "prompt" },
    ]);
    expect(observation("t1")).toMatchObject({
      session_id: "s",
      project: "/home/dev/shop",
      prompt_number: 1,
      tool_name: "Bash",
      made_by: "rules",
    });
    expect(observation("t1")!["content_json"]).toContain("Now I deploy to staging.");
    expect(rows("SELECT compressed_observation FROM observations")[0]!["compressed_observation"]).toBe(
      observation("t1")!["content_json"],
    );
  });

  it("creates the same items in any order of events", async () => {
    const events = [
      started(),
      prompt("deploy it", "p"),
      message("m0", { 0: { type: "text", text: "All is ready." } }),
      message("m", { 0: { type: "tool_use", toolUseId: "t1" } }),
      call("t1", "npm run deploy"),
      message("m2", { 0: { type: "text", text: "It went well." } }),
      turnEnd("Deployed. Next step: watch the logs."),
    ];
    await applyAndBuild(...events);
    const items = rows("SELECT * FROM memory_items ORDER BY id");
    const summaries = rows("SELECT * FROM session_summaries");
    expect(summaries).toHaveLength(1);
    expect(observation("t1")!["content_json"]).toMatch(/All is ready.*It went well/);
    for (const order of [events, events.toReversed()]) {
      store.db.raw.exec("DELETE FROM facts; DELETE FROM sdk_sessions; DELETE FROM memory_items");
      for (const single of order) await applyAndBuild(single);
      expect(rows("SELECT * FROM memory_items ORDER BY id")).toEqual(items);
      expect(rows("SELECT * FROM session_summaries")).toEqual(summaries);
    }
  });

  it("summarises a turn only when it ended", async () => {
    await applyAndBuild(started(), prompt("deploy it", "p"), call("t1", "npm run deploy"));
    expect(rows("SELECT * FROM session_summaries")).toEqual([]);
    await applyAndBuild(turnEnd("Deployed to staging. Next step: watch the logs."));
    expect(rows("SELECT request, next_steps FROM session_summaries")).toEqual([
      { request: "deploy it", next_steps: expect.stringContaining("watch the logs") },
    ]);
    expect(item(summaryId("s", "p"))).toMatchObject({ kind: "summary", type: "summary", prompt_number: 1 });
  });

  it("removes items of a turn that became private", async () => {
    await applyAndBuild(started(), call("t1", "cat secrets"), turnEnd("The secret is out."));
    expect(observation("t1")).toBeDefined();
    await applyAndBuild(prompt("", "p", { private: true, occurredAtIso: "2026-01-01T00:00:00.000Z" }));
    expect(rows("SELECT * FROM memory_items")).toEqual([]);
    expect(rows("SELECT * FROM session_summaries")).toEqual([]);
  });

  it("prefers a person's text over a model's over the rules', in any order", async () => {
    await applyAndBuild(started(), prompt("deploy it", "p"), call("t1", "npm run deploy"));
    const id = callRowId(callOf("t1"));
    const base = { sessionId: "s", projectPath: null, occurredAtIso: "2026-02-01T00:00:00.000Z" };
    await applyAndBuild(
      memoryMarkEvent(base, id, { pinned: true, edit: { title: "The deploy that failed" } }),
    );
    await applyAndBuild(
      memoryItemEvent(base, id, "model", { content: { title: "Deployed", concepts: ["deploy"] } }),
    );
    expect(item(id)).toMatchObject({ title: "The deploy that failed", made_by: "person", pinned: 1 });
    expect(item(id)!["content_json"]).toContain('"concepts":["deploy"]');
    const later = { ...base, occurredAtIso: "2026-02-02T00:00:00.000Z" };
    await applyAndBuild(memoryMarkEvent(later, id, { edit: null, pinned: false }));
    expect(item(id)).toMatchObject({ title: "Deployed", made_by: "model", pinned: 0 });
    await applyAndBuild(memoryMarkEvent(base, id, { edit: { title: "An older edit that comes late" } }));
    expect(item(id)).toMatchObject({ title: "Deployed" });
  });

  it("applies all overrides when they arrive at once, as after a rebuild", async () => {
    const base = { sessionId: "s", projectPath: null, occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const summary = { request: "Told", investigated: null, learned: null, completed: null, nextSteps: null };
    const [id, turnSummaryId] = [callRowId(callOf("t1")), summaryId("s", "p")];
    await applyAndBuild(
      started(),
      prompt("deploy it", "p"),
      call("t1", "npm run deploy"),
      turnEnd("Deployed."),
      memoryItemEvent(base, id, "model", { content: { title: "Deployed" } }),
      memoryItemEvent(base, turnSummaryId, "model", { kind: "summary", summary, content: { title: "Told" } }),
      memoryMarkEvent(base, id, { pinned: true }),
      memoryMarkEvent(base, turnSummaryId, { pinned: true }),
    );
    expect(item(id)).toMatchObject({ title: "Deployed", made_by: "model", pinned: 1 });
    expect(item(turnSummaryId)).toMatchObject({ title: "Told", made_by: "model", pinned: 1 });
    expect(rows("SELECT request FROM session_summaries")).toEqual([{ request: "Told" }]);
  });

  it("keeps imported items, but does not replace recorded ones", async () => {
    const base = { sessionId: "s", projectPath: "/home/dev/shop", occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const content = {
      type: "decision",
      title: "Use cents",
      facts: [],
      narrative: null,
      filesRead: [],
      filesModified: [],
      concepts: [],
    };
    await applyAndBuild(started(), prompt("x", "p"), call("t1", "npm run deploy"));
    const id = callRowId(callOf("t1"));
    const before = item(id);
    await applyAndBuild(memoryItemEvent(base, id, "import", { kind: "observation", content }));
    expect(item(id)).toEqual(before);
    await applyAndBuild(memoryItemEvent(base, 77, "import", { kind: "observation", content }));
    expect(item(77)).toMatchObject({
      title: "Use cents",
      type: "decision",
      made_by: "import",
      session_id: "s",
    });
  });

  it("stores injections", async () => {
    const base = { sessionId: "s", projectPath: "/p", occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const items = [{ id: 1, title: "t", why: "same words", tokens: 9 }];
    await applyAndBuild(started(), memoryInjectedEvent(base, { kind: "prompt", key: "k", tokens: 9, items }));
    expect(await store.memory.injections({ sessionId: "s", limit: 5 })).toEqual([
      expect.objectContaining({ kind: "prompt", tokens: 9, itemsJson: JSON.stringify(items) }),
    ]);
  });

  it("removes items with their session, and creates none without one", async () => {
    await applyAndBuild(started(), prompt("deploy it", "p"), call("t1", "x"), turnEnd("Done."));
    await store.facts.removeSession("s");
    for (const table of ["memory_items", "memory_made", "memory_marks", "session_summaries"])
      expect(rows(`SELECT * FROM ${table}`)).toEqual([]);
    await applyAndBuild(
      memoryItemEvent({ sessionId: "unknown", projectPath: null, occurredAtIso: "2026" }, 5, "import", {}),
    );
    expect(rows("SELECT * FROM memory_items")).toEqual([]);
  });

  it("waits for a backlog to be ingested, unless drained", async () => {
    const ingest = async (callId: string): Promise<void> => {
      const events = [
        started(),
        prompt("deploy it", "p"),
        call(callId, "npm run deploy"),
        turnEnd("Deployed."),
      ];
      offset += events.length;
      await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(offset) });
      builder.onEvents(Array.from({ length: 20 }, () => events).flat());
    };
    /** Whether the backlog kept coming without a gap, which a stalled machine can cause. */
    const feedBacklog = async (callId: string): Promise<boolean> => {
      let longestGapMs = 0;
      for (let n = 0; n < 6; n++) {
        const startMs = performance.now();
        await ingest(callId);
        await sleep(100);
        longestGapMs = Math.max(longestGapMs, performance.now() - startMs);
      }
      return longestGapMs < 200;
    };
    let attempt = 1;
    while (!(await feedBacklog(`t${attempt}`))) {
      await expect.poll(() => store.memory.outboxSize()).toBe(0);
      attempt++;
    }
    expect(observation(`t${attempt}`)).toBeUndefined();
    await expect.poll(() => store.memory.outboxSize()).toBe(0);
    expect(observation(`t${attempt}`)).toBeDefined();
    ingest("last");
    await builder.drain();
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("skips an entry that cannot be built", async () => {
    await applyAndBuild(started(), prompt("x", "p"), call("t1", "ls"));
    store.db.raw.exec("UPDATE facts SET event_json = '{' WHERE event_type = 'tool_observation'");
    store.db.raw.exec(
      "INSERT INTO memory_outbox SELECT 'call', id FROM facts WHERE event_type = 'tool_observation'",
    );
    await applyAndBuild(call("t2", "ls"));
    expect(observation("t2")).toBeDefined();
    expect(errors).toHaveLength(1);
  });
});
