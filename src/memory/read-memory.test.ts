import { afterAll, expect, it } from "vitest";
import { positionAt } from "../../test/support/position.ts";
import { toLine } from "../event/line.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import { callEvent } from "./compress/call.testing.ts";
import { buildAllItems } from "./item-builder.ts";
import { readTimeline } from "./read-memory.ts";

const store = openSqliteStore(":memory:");
afterAll(() => store.close());

const file = "/home/dev/acme-shop/src/a.ts";
const calls = ["Read", "Write", "Read", "Write", "Read"].map((toolName, at) => ({
  ...callEvent({ toolName, toolInput: { file_path: file, content: "x" }, toolOutput: "ok", success: true }),
  id: `e${at}`,
  toolUseId: `toolu_${at}`,
  occurredAtIso: `2026-11-15T08:0${at}:00.000Z`,
}));

it("readTimeline returns the requested number of neighbours of a type, and always the anchor", async () => {
  await store.facts.apply({ lines: calls.map(toLine), part: 1, next: positionAt(1) });
  await buildAllItems(store.memory, (error) => {
    throw error;
  });
  const items = (await store.memory.recentItems({ project: null, limit: 10 })).reverse();
  expect(items.map(({ type }) => type)).toEqual(["discovery", "change", "discovery", "change", "discovery"]);
  const request = { anchor: items[2]!.id, before: 1, after: 1, within: "session" } as const;
  const types = async (type?: string) =>
    (await readTimeline(store.memory, { ...request, type }))!.entries.map((entry) => [
      entry.type,
      entry.createdAtIso[15],
    ]);
  expect(await types()).toEqual([
    ["change", "1"],
    ["discovery", "2"],
    ["change", "3"],
  ]);
  expect(await types("discovery")).toEqual([
    ["discovery", "0"],
    ["discovery", "2"],
    ["discovery", "4"],
  ]);
  expect((await readTimeline(store.memory, request))!.entries[0]).toMatchObject({ file });
});
