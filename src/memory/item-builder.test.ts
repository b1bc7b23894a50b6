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
let keeper: ItemBuilder;
const troubles: unknown[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hookline-memory-"));
  store = openSqliteStore(join(dir, "hookline.db"));
  troubles.length = 0;
  keeper = openItemBuilder({
    rows: store.memory,
    onWritten: () => undefined,
    onDrained: () => undefined,
    onError: (error) => troubles.push(error),
  });
});
afterEach(async () => {
  await keeper.close();
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
const ended = (words: string) => event("turn.end", { promptId: "p", lastAssistantMessage: words });

let offset = 0;
async function tell(...events: HooklineEvent[]): Promise<void> {
  offset += events.length;
  await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(offset) });
  await keeper.drain();
  expect(await store.memory.outboxSize()).toBe(0);
}
const rows = (sql: string) => store.db.raw.prepare(sql).all();
const item = (id: number) => rows(`SELECT * FROM memory_items WHERE id = ${id}`)[0];
const observation = (toolUseId: string) => item(callRowId(callOf(toolUseId)));

describe("memory", () => {
  it("takes what a program reports for nobody's request, and a word in answer to it for nothing", async () => {
    const notice = (promptId: string) =>
      prompt("<task-notification><summary>Build completed</summary></task-notification>", promptId, {
        machine: true,
      });
    const answered = (promptId: string, words: string) =>
      event("turn.end", { promptId, lastAssistantMessage: words });
    await tell(started(), notice("p1"), answered("p1", "Done."));
    expect(rows("SELECT kind FROM memory_items")).toEqual([]);
    const found = "The build needs Node 24: the lock file was written by npm 11.";
    await tell(notice("p2"), answered("p2", found));
    const [made] = rows("SELECT kind, summary_json FROM memory_items");
    expect(made).toMatchObject({ kind: "summary" });
    expect(JSON.parse(String(made!["summary_json"]))).toMatchObject({ request: null });
  });

  it("makes an observation of every call that is not skipped, with the words around it", async () => {
    await tell(
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

  it("makes the same, whatever the order in which things are told", async () => {
    const story = [
      started(),
      prompt("deploy it", "p"),
      message("m0", { 0: { type: "text", text: "All is ready." } }),
      message("m", { 0: { type: "tool_use", toolUseId: "t1" } }),
      call("t1", "npm run deploy"),
      message("m2", { 0: { type: "text", text: "It went well." } }),
      ended("Deployed. Next step: watch the logs."),
    ];
    await tell(...story);
    const made = rows("SELECT * FROM memory_items ORDER BY id");
    const summaries = rows("SELECT * FROM session_summaries");
    expect(summaries).toHaveLength(1);
    expect(observation("t1")!["content_json"]).toMatch(/All is ready.*It went well/);
    for (const order of [story, story.toReversed()]) {
      store.db.raw.exec("DELETE FROM facts; DELETE FROM sdk_sessions; DELETE FROM memory_items");
      for (const one of order) await tell(one);
      expect(rows("SELECT * FROM memory_items ORDER BY id")).toEqual(made);
      expect(rows("SELECT * FROM session_summaries")).toEqual(summaries);
    }
  });

  it("has no summary of a turn that still runs, and one when it ended", async () => {
    await tell(started(), prompt("deploy it", "p"), call("t1", "npm run deploy"));
    expect(rows("SELECT * FROM session_summaries")).toEqual([]);
    await tell(ended("Deployed to staging. Next step: watch the logs."));
    expect(rows("SELECT request, next_steps FROM session_summaries")).toEqual([
      { request: "deploy it", next_steps: expect.stringContaining("watch the logs") },
    ]);
    expect(item(summaryId("s", "p"))).toMatchObject({ kind: "summary", type: "summary", prompt_number: 1 });
  });

  it("lets go of what turns out to be private", async () => {
    await tell(started(), call("t1", "cat secrets"), ended("The secret is out."));
    expect(observation("t1")).toBeDefined();
    await tell(prompt("", "p", { private: true, occurredAtIso: "2026-01-01T00:00:00.000Z" }));
    expect(rows("SELECT * FROM memory_items")).toEqual([]);
    expect(rows("SELECT * FROM session_summaries")).toEqual([]);
  });

  it("prefers a model's words to the rules', and a person's to both, in any order", async () => {
    await tell(started(), prompt("deploy it", "p"), call("t1", "npm run deploy"));
    const id = callRowId(callOf("t1"));
    const base = { sessionId: "s", projectPath: null, occurredAtIso: "2026-02-01T00:00:00.000Z" };
    await tell(memoryMarkEvent(base, id, { pinned: true, edit: { title: "The deploy that failed" } }));
    await tell(memoryItemEvent(base, id, "model", { content: { title: "Deployed", concepts: ["deploy"] } }));
    expect(item(id)).toMatchObject({ title: "The deploy that failed", made_by: "person", pinned: 1 });
    expect(item(id)!["content_json"]).toContain('"concepts":["deploy"]');
    const later = { ...base, occurredAtIso: "2026-02-02T00:00:00.000Z" };
    await tell(memoryMarkEvent(later, id, { edit: null, pinned: false }));
    expect(item(id)).toMatchObject({ title: "Deployed", made_by: "model", pinned: 0 });
    await tell(memoryMarkEvent(base, id, { edit: { title: "An older edit that comes late" } }));
    expect(item(id)).toMatchObject({ title: "Deployed" });
  });

  it("knows all that was told of an item when it is told all at once, as after a rebuild", async () => {
    const base = { sessionId: "s", projectPath: null, occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const summary = { request: "Told", investigated: null, learned: null, completed: null, nextSteps: null };
    const [id, ofTurn] = [callRowId(callOf("t1")), summaryId("s", "p")];
    await tell(
      started(),
      prompt("deploy it", "p"),
      call("t1", "npm run deploy"),
      ended("Deployed."),
      memoryItemEvent(base, id, "model", { content: { title: "Deployed" } }),
      memoryItemEvent(base, ofTurn, "model", { kind: "summary", summary, content: { title: "Told" } }),
      memoryMarkEvent(base, id, { pinned: true }),
      memoryMarkEvent(base, ofTurn, { pinned: true }),
    );
    expect(item(id)).toMatchObject({ title: "Deployed", made_by: "model", pinned: 1 });
    expect(item(ofTurn)).toMatchObject({ title: "Told", made_by: "model", pinned: 1 });
    expect(rows("SELECT request FROM session_summaries")).toEqual([{ request: "Told" }]);
  });

  it("keeps what was imported, and does not let it replace what was seen", async () => {
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
    await tell(started(), prompt("x", "p"), call("t1", "npm run deploy"));
    const id = callRowId(callOf("t1"));
    const before = item(id);
    await tell(memoryItemEvent(base, id, "import", { kind: "observation", content }));
    expect(item(id)).toEqual(before);
    await tell(memoryItemEvent(base, 77, "import", { kind: "observation", content }));
    expect(item(77)).toMatchObject({
      title: "Use cents",
      type: "decision",
      made_by: "import",
      session_id: "s",
    });
  });

  it("writes down what a session was given", async () => {
    const base = { sessionId: "s", projectPath: "/p", occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const items = [{ id: 1, title: "t", why: "same words", tokens: 9 }];
    await tell(started(), memoryInjectedEvent(base, { kind: "prompt", key: "k", tokens: 9, items }));
    expect(await store.memory.injections({ sessionId: "s", limit: 5 })).toEqual([
      expect.objectContaining({ kind: "prompt", tokens: 9, itemsJson: JSON.stringify(items) }),
    ]);
  });

  it("goes with its session, and has none without one", async () => {
    await tell(started(), prompt("deploy it", "p"), call("t1", "x"), ended("Done."));
    await store.facts.removeSession("s");
    for (const table of ["memory_items", "memory_made", "memory_marks", "session_summaries"])
      expect(rows(`SELECT * FROM ${table}`)).toEqual([]);
    await tell(
      memoryItemEvent({ sessionId: "unknown", projectPath: null, occurredAtIso: "2026" }, 5, "import", {}),
    );
    expect(rows("SELECT * FROM memory_items")).toEqual([]);
  });

  it("lets a backlog be taken in first, unless somebody waits for it", async () => {
    const take = async (callId: string): Promise<void> => {
      const events = [
        started(),
        prompt("deploy it", "p"),
        call(callId, "npm run deploy"),
        ended("Deployed."),
      ];
      offset += events.length;
      await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(offset) });
      keeper.onEvents(Array.from({ length: 20 }, () => events).flat());
    };
    /** Whether the backlog kept coming without a gap, which a stalled machine can cause. */
    const feedBacklog = async (callId: string): Promise<boolean> => {
      let longestGapMs = 0;
      for (let n = 0; n < 6; n++) {
        const startMs = performance.now();
        await take(callId);
        await sleep(100);
        longestGapMs = Math.max(longestGapMs, performance.now() - startMs);
      }
      return longestGapMs < 200;
    };
    let tries = 1;
    while (!(await feedBacklog(`t${tries}`))) {
      await expect.poll(() => store.memory.outboxSize()).toBe(0);
      tries++;
    }
    expect(observation(`t${tries}`)).toBeUndefined();
    await expect.poll(() => store.memory.outboxSize()).toBe(0);
    expect(observation(`t${tries}`)).toBeDefined();
    take("last");
    await keeper.drain();
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("is not stopped by an entry that cannot be made", async () => {
    await tell(started(), prompt("x", "p"), call("t1", "ls"));
    store.db.raw.exec("UPDATE facts SET event_json = '{' WHERE event_type = 'tool_observation'");
    store.db.raw.exec(
      "INSERT INTO memory_outbox SELECT 'call', id FROM facts WHERE event_type = 'tool_observation'",
    );
    await tell(call("t2", "ls"));
    expect(observation("t2")).toBeDefined();
    expect(troubles).toHaveLength(1);
  });
});
