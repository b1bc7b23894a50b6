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
const turnEnd = (text: string) => event("turn.end", { promptId: "p", lastAssistantMessage: text });
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
function rowsWithChangeBefore(
  kind: string,
  change: () => unknown,
): MemoryRows & { readonly rejectedWrites: () => number } {
  let hasChanged = false;
  let rejectedWrites = 0;
  return {
    ...store.memory,
    rejectedWrites: () => rejectedWrites,
    async write(made, read) {
      if (!hasChanged && made.done[0]?.kind === kind) {
        hasChanged = true;
        await change();
      }
      const isWritten = await store.memory.write(made, read);
      if (!isWritten) rejectedWrites++;
      return isWritten;
    },
  };
}
const build = (rows: MemoryRows = store.memory): Promise<void> =>
  buildAllItems(rows, (error) => {
    throw error;
  });
const table = (name: string): string =>
  JSON.stringify(store.db.raw.prepare(`SELECT * FROM ${name} ORDER BY 1`).all());
const DERIVED_TABLES = [
  "memory_items",
  "memory_made",
  "memory_marks",
  "memory_injections",
  "session_summaries",
];
const allDerived = (): string => DERIVED_TABLES.map(table).join();

describe("buildAllItems with concurrent changes", () => {
  it("rebuilds an item whose source changed", async () => {
    apply(started(), prompt(), call("npm run old", { origin: "transcript" }));
    await build(rowsWithChangeBefore("call", () => apply(call("npm run deploy"))));
    const [item] = await store.memory.items([callRowId(T1)]);
    expect(item?.contentJson).toContain("npm run deploy");
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("summarises a turn that ended during the build", async () => {
    apply(started(), prompt(), call("npm run deploy"));
    await build(rowsWithChangeBefore("turn", () => apply(turnEnd("Deployed to staging."))));
    expect(table("session_summaries")).toContain("deploy it");
    expect(await store.memory.outboxSize()).toBe(0);
  });

  it("gives the same result as sequential events, wherever the change happens", async () => {
    const events = [
      started(),
      prompt(),
      call("npm run deploy"),
      turnEnd("Deployed. Next step: watch the logs."),
    ];
    apply(...events);
    await build();
    const expected = DERIVED_TABLES.map(table);
    for (const [before, kind] of [
      [2, "turn"],
      [3, "call"],
      [3, "turn"],
    ] as const) {
      store.close();
      store = openSqliteStore(":memory:");
      apply(...events.slice(0, before));
      await build(rowsWithChangeBefore(kind, () => apply(...events.slice(before))));
      expect(DERIVED_TABLES.map(table)).toEqual(expected);
      expect(await store.memory.outboxSize()).toBe(0);
    }
  });
});

describe("buildAllItems with concurrent removals", () => {
  it("does not write what was forgotten", async () => {
    apply(started(), prompt(), call("cat diary.txt"), turnEnd("It says dear diary."));
    const rows = rowsWithChangeBefore("call", () => forget([factId]));
    await build(rows);
    expect(rows.rejectedWrites()).toBe(1);
    expect(allDerived()).not.toContain("diary.txt");
    expect(allDerived()).toContain("deploy it");
  });

  it("does not write items of a removed session", async () => {
    const base = { sessionId: "s", projectPath: "/p", occurredAtIso: "2026-02-01T00:00:00.000Z" };
    const items = [{ id: 1, title: "Cents", why: "same words", tokens: 9 }];
    apply(started(), memoryInjectedEvent(base, { kind: "prompt", key: "k", tokens: 9, items }));
    await build(rowsWithChangeBefore("injected", () => store.facts.removeSession("s")));
    expect(table("memory_injections")).toBe("[]");
    apply(started(), memoryItemEvent(base, 77, "import", { kind: "observation", content: {} }));
    await build(rowsWithChangeBefore("made", () => store.facts.removeSession("s")));
    expect(DERIVED_TABLES.map(table)).toEqual(DERIVED_TABLES.map(() => "[]"));
  });

  it("does not write items of a turn that became private", async () => {
    apply(started(), call("cat diary.txt"), turnEnd("It says dear diary."));
    const privatePrompt = prompt({ prompt: "", private: true, occurredAtIso: "2026-01-01T00:00:00.000Z" });
    const written: string[] = [];
    const rows = rowsWithChangeBefore("call", () => apply(privatePrompt));
    const { write } = rows;
    await build({
      ...rows,
      async write(made, read) {
        const isWritten = await write(made, read);
        written.push(allDerived());
        return isWritten;
      },
    });
    expect(rows.rejectedWrites()).toBe(1);
    expect(written.join()).not.toContain("diary");
  });

  it("finishes despite repeated erasures", async () => {
    apply(started(), prompt(), call("npm run deploy"), turnEnd("Deployed."));
    let erasures = 0;
    await build({
      ...store.memory,
      async write(made, read) {
        if (erasures++ < 5) await forget(["unknown"]);
        return store.memory.write(made, read);
      },
    });
    expect(allDerived()).toContain("npm run deploy");
    expect(await store.memory.outboxSize()).toBe(0);
  });
});

describe("a stamp of the outbox", () => {
  it("is invalid for another database, and after the outbox was read again", async () => {
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
