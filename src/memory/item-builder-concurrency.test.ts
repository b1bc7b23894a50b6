import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import type { HooklineEvent } from "../event/event.ts";
import { callFactId, callRowId } from "../event/ids.ts";
import { toLine } from "../event/line.ts";
import { memoryInjectedEvent, memoryItemEvent } from "../event/memory-events.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { openSqliteStore, type SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { buildAllItems } from "./item-builder.ts";

let store: SqliteStore;
beforeEach(() => {
  store = openSqliteStore(":memory:");
});
afterEach(() => store.close());

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
const T1 = { provider: "claude", sessionId: "s", toolUseId: "t1" };
const factId = callFactId(T1, "end");
const started = () => event("session.lifecycle", { phase: "started" });
const prompt = (more: Partial<HooklineEvent> = {}) =>
  event("turn.start", { prompt: "deploy it", promptId: "p", ...more });
const ended = (words: string) => event("turn.end", { promptId: "p", lastAssistantMessage: words });
const call = (command: string, more: Partial<HooklineEvent> = {}) =>
  event("tool_observation", {
    id: factId,
    toolUseId: "t1",
    promptId: "p",
    payload: { toolName: "Bash", toolInput: { command }, toolOutput: "done", metadata: { command } },
    ...more,
  });
function apply(...events: HooklineEvent[]): void {
  store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(++clock) });
}
const forget = (facts: readonly string[]) =>
  store.forgetting.erase({ facts: new Set(facts), sessions: new Map(), stillLogged: new Set(), guards: [] });

/** The real rows, but something else happens once, right before the result for `kind` is written. */
function meanwhile(kind: string, happens: () => unknown): MemoryRows & { readonly refused: () => number } {
  let isOver = false;
  let refused = 0;
  return {
    ...store.memory,
    refused: () => refused,
    async write(made, read) {
      if (!isOver && made.done[0]?.kind === kind) {
        isOver = true;
        await happens();
      }
      const isWritten = await store.memory.write(made, read);
      if (!isWritten) refused++;
      return isWritten;
    },
  };
}
const make = (rows: MemoryRows = store.memory): Promise<void> =>
  buildAllItems(rows, (error) => {
    throw error;
  });
const table = (name: string): string =>
  JSON.stringify(store.db.raw.prepare(`SELECT * FROM ${name} ORDER BY 1`).all());
const MADE = ["memory_items", "memory_made", "memory_marks", "memory_injections", "session_summaries"];
const everything = (): string => MADE.map(table).join();

describe("what changes while items are made", () => {
  it("is made again, not taken for done", async () => {
    apply(started(), prompt(), call("npm run old", { origin: "transcript" }));
    await make(meanwhile("call", () => apply(call("npm run deploy"))));
    const [item] = await store.memory.items([callRowId(T1)]);
    expect(item?.contentJson).toContain("npm run deploy");
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("ends a turn whose end was not there yet when it was looked at", async () => {
    apply(started(), prompt(), call("npm run deploy"));
    await make(meanwhile("turn", () => apply(ended("Deployed to staging."))));
    expect(table("session_summaries")).toContain("deploy it");
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("is the same as told one after the other, wherever it comes in between", async () => {
    const story = [
      started(),
      prompt(),
      call("npm run deploy"),
      ended("Deployed. Next step: watch the logs."),
    ];
    apply(...story);
    await make();
    const expected = MADE.map(table);
    for (const [before, kind] of [
      [2, "turn"],
      [3, "call"],
      [3, "turn"],
    ] as const) {
      store.close();
      store = openSqliteStore(":memory:");
      apply(...story.slice(0, before));
      await make(meanwhile(kind, () => apply(...story.slice(before))));
      expect(MADE.map(table)).toEqual(expected);
      expect(await store.memory.outboxSize()).toBe(0);
    }
  });
});

describe("what is taken away while items are made of it", () => {
  it("is not written when it was forgotten", async () => {
    apply(started(), prompt(), call("cat diary.txt"), ended("It says dear diary."));
    const rows = meanwhile("call", () => forget([factId]));
    await make(rows);
    expect(rows.refused()).toBe(1);
    expect(everything()).not.toContain("diary.txt");
    expect(everything()).toContain("deploy it");
  });

  it("is not written when its session was removed", async () => {
    const base = { sessionId: "s", projectPath: "/p", occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const items = [{ id: 1, title: "Cents", why: "same words", tokens: 9 }];
    apply(started(), memoryInjectedEvent(base, { kind: "prompt", key: "k", tokens: 9, items }));
    await make(meanwhile("injected", () => store.facts.removeSession("s")));
    expect(table("memory_injections")).toBe("[]");
    apply(started(), memoryItemEvent(base, 77, "import", { kind: "observation", content: {} }));
    await make(meanwhile("made", () => store.facts.removeSession("s")));
    expect(MADE.map(table)).toEqual(MADE.map(() => "[]"));
  });

  it("is not written when its turn turns out to be private", async () => {
    apply(started(), call("cat diary.txt"), ended("It says dear diary."));
    const private_ = prompt({ prompt: "", private: true, occurredAtIso: "2026-01-01T00:00:00.000Z" });
    const seen: string[] = [];
    const rows = meanwhile("call", () => apply(private_));
    const { write } = rows;
    await make({
      ...rows,
      async write(made, read) {
        const isWritten = await write(made, read);
        seen.push(everything());
        return isWritten;
      },
    });
    expect(rows.refused()).toBe(1);
    expect(seen.join()).not.toContain("diary");
  });

  it("can be forgotten again and again, and the rest is made", async () => {
    apply(started(), prompt(), call("npm run deploy"), ended("Deployed."));
    let cuts = 0;
    await make({
      ...store.memory,
      async write(made, read) {
        if (cuts++ < 5) await forget(["unknown"]);
        return store.memory.write(made, read);
      },
    });
    expect(everything()).toContain("npm run deploy");
    expect(await store.memory.outboxSize()).toBe(0);
  });
});

describe("who read the outbox", () => {
  it("writes nothing into another database, nor after somebody else has read it", async () => {
    apply(started(), prompt());
    const first = await store.memory.outbox(10);
    const other = openSqliteStore(":memory:");
    expect(await other.memory.write({ done: first.entries }, first.stamp)).toBe(false);
    const second = await store.memory.outbox(10);
    expect(await store.memory.write({ done: first.entries }, first.stamp)).toBe(false);
    expect(await store.memory.outboxSize()).toBe(1);
    expect(await store.memory.write({ done: second.entries }, second.stamp)).toBe(true);
    expect(await store.memory.outboxSize()).toBe(0);
    other.close();
  });
});
