import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toLine } from "../../src/event/line.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { positionAt } from "../support/position.ts";
import { BROKEN_CONTROL } from "./broken-control.ts";
import { CONTROL_GUARANTEES, type ControlUnderTest } from "./control-contract.ts";
import { type ControlTables, openInMemoryControl } from "./in-memory-control.ts";

async function openSqlite(): Promise<ControlUnderTest> {
  const store = openSqliteStore(":memory:");
  let next = 0;
  return {
    control: store.control,
    apply: async (events) =>
      void (await store.facts.apply({ lines: events.map(toLine), part: 1, next: positionAt(++next) })),
    summarise: (sessionId, createdAtIso, completed) =>
      void store.db
        .sql(
          `INSERT INTO session_summaries (session_id, completed, created_at)
           SELECT id, ?, ? FROM sdk_sessions WHERE claude_session_id = ?`,
        )
        .run(completed, createdAtIso, sessionId),
    close: () => store.close(),
  };
}

async function openMemory(): Promise<ControlUnderTest> {
  const tables: ControlTables = { events: [], summaries: [] };
  return {
    control: openInMemoryControl(tables),
    apply: async (events) => void tables.events.push(...events),
    summarise: (sessionId, createdAtIso, completed) =>
      void tables.summaries.push({ sessionId, createdAtIso, completed }),
    close: async () => undefined,
  };
}

describe.each([
  ["SQLite", openSqlite],
  ["memory", openMemory],
])("control rows in %s", (_kind, open) => {
  let under: ControlUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under.close());

  it.each(CONTROL_GUARANTEES.map(({ name, check }) => [name, check] as const))("%s", (_name, check) =>
    check(under),
  );
});

describe("rows that break a guarantee fail its check", () => {
  it("exist for every guarantee", () => {
    expect(BROKEN_CONTROL.map(({ breaks }) => breaks).toSorted()).toEqual(
      CONTROL_GUARANTEES.map(({ name }) => name).toSorted(),
    );
  });

  it.each(BROKEN_CONTROL)("$breaks: $how", async ({ breaks, wreck }) => {
    const under = await openMemory();
    const { check } = CONTROL_GUARANTEES.find(({ name }) => name === breaks)!;
    await expect(check({ ...under, ...wreck(under) })).rejects.toThrow();
  });
});
