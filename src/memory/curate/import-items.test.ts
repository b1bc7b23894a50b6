import { afterEach, expect, it } from "vitest";
import { type ForgetHome, openForgetHome } from "../../../test/support/forget-home.ts";
import { memoryMarkEvent } from "../../event/memory-events.ts";
import { forgetFacts } from "../../store/forget-facts.ts";
import type { MemoryItem } from "../memory-item.ts";
import { exportItems, itemPages } from "./export-items.ts";
import { type ImportedItems, importItems } from "./import-items.ts";

let home: ForgetHome;
afterEach(() => home.close());

async function items(): Promise<MemoryItem[]> {
  const all: MemoryItem[] = [];
  for await (const page of itemPages(home.keeper.store.memory)) all.push(...page);
  return all;
}

async function runImport(lines: Iterable<string>): Promise<ImportedItems> {
  const { memory } = home.keeper.store;
  const report = await importItems({
    lines,
    acceptor: home.acceptor(),
    append: (events) => home.log.append(events),
    hasFact: async (id) => (await memory.fact(id)) !== undefined,
    hasItem: async (id) => (await memory.items([id])).length > 0,
  });
  await home.keeper.follow();
  await home.remember();
  return report;
}

function mark(item: MemoryItem, change: Parameters<typeof memoryMarkEvent>[2], occurredAtIso: string) {
  return memoryMarkEvent(
    { sessionId: item.sessionId, projectPath: item.project, occurredAtIso },
    item.id,
    change,
  );
}

async function exportFilledHome(): Promise<string[]> {
  home = await openForgetHome();
  await home.ingestHooks("tools");
  await home.importTranscripts("tools");
  await home.remember();
  const [first] = (await items()).filter(({ toolName }) => toolName === "Grep");
  await home.record([
    mark(first!, { pinned: true, edit: { title: "by hand" } }, "2026-11-15T04:00:00.000Z"),
    mark(first!, { pinned: false }, "2026-11-15T03:59:00.000Z"),
  ]);
  await home.remember();
  expect((await items()).find(({ id }) => id === first!.id)).toMatchObject({
    pinned: true,
    madeBy: "person",
    content: { title: "by hand" },
  });
  return [...exportItems(await items())];
}

it("imports an export into another home once, with all its items", async () => {
  const lines = await exportFilledHome();
  const before = await items();
  await home.close();
  home = await openForgetHome();
  expect(await runImport(lines)).toEqual({ items: before.length, skipped: 0, bad: [], badLines: 0 });
  expect(await items()).toEqual(before.map((item) => ({ ...item, madeBy: "import" })));
  const position = await home.keeper.store.facts.position();
  expect(await runImport(lines)).toMatchObject({ items: 0, skipped: lines.length });
  expect(await home.keeper.store.facts.position()).toBe(position);
});

it("does not overwrite existing items, and reports invalid lines", async () => {
  const lines = await exportFilledHome();
  const before = await items();
  const other = { ...before[0]!, v: 1, content: { ...before[0]!.content, title: "other words" } };
  const report = await runImport([
    "",
    "{",
    '{"v":1,"id":1}',
    JSON.stringify({ ...other, v: 2 }),
    JSON.stringify(other),
  ]);
  expect(report).toMatchObject({ items: 0, skipped: 1, badLines: 3 });
  expect(report.bad.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(await items()).toEqual(before);
  expect(lines.length).toBe(before.length);
});

it("masks secrets and cuts private parts", async () => {
  home = await openForgetHome();
  const [item] = [
    {
      id: 5,
      kind: "observation",
      sessionId: "s",
      project: "/p",
      promptNumber: null,
      toolName: null,
      branch: null,
      success: null,
      createdAtIso: "2026-01-01T00:00:00.000Z",
      content: {
        type: "discovery",
        title: "a title",
        facts: ["<private>hush</private> token ghp_0123456789abcdefghijABCDEFGHIJ012345"],
        narrative: null,
        filesRead: [],
        filesModified: [],
        concepts: [],
      },
      summary: null,
      madeBy: "rules",
      pinned: false,
    } satisfies MemoryItem,
  ];
  await runImport(exportItems([item]));
  expect((await items()).length).toBe(1);
  expect(JSON.stringify(await items())).not.toMatch(/hush|ghp_/);
});

it("does not bring back what was forgotten by id or by text", async () => {
  const lines = await exportFilledHome();
  const [forgotten] = (await items()).filter(({ toolName }) => toolName === "Write");
  await forgetFacts({ ids: [forgotten!.id] }, home.ports);
  await forgetFacts({ match: "anvils" }, home.ports);
  await home.remember();
  const before = (await items()).map(({ id }) => id);
  await runImport(lines);
  expect((await items()).map(({ id }) => id)).toEqual(before);
  expect(JSON.stringify(await items())).not.toMatch(/anvils/i);
});

it("exports only one project or session", async () => {
  await exportFilledHome();
  const [item] = await items();
  expect([...exportItems(await items(), { session: item!.sessionId })].length).toBe((await items()).length);
  expect([...exportItems(await items(), { session: "another" })]).toEqual([]);
  expect([...exportItems(await items(), { projects: ["/elsewhere"] })]).toEqual([]);
});
