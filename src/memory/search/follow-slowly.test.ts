import { afterEach, beforeEach, expect, it } from "vitest";
import type { ItemChanges } from "../../store/item-changes.ts";
import { openItemChanges } from "../../store/sqlite/sqlite-item-changes.ts";
import { type LocalIndex, openLocalIndex } from "./local-index.ts";
import { openScratchMemory, type ScratchMemory, wordEmbedder } from "./scratch-memory.testing.ts";

/** A store that answers late, each time in a later turn of the event loop. */
function delayed(source: ItemChanges, onChanges: () => void = () => undefined): ItemChanges {
  const delay = () => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    ...source,
    async epoch() {
      await delay();
      return source.epoch();
    },
    async changes(epoch, after, limit) {
      const found = await source.changes(epoch, after, limit);
      await delay();
      onChanges();
      return found;
    },
    async items(ids) {
      await delay();
      return source.items(ids);
    },
  };
}

let memory: ScratchMemory;
let index: LocalIndex;
beforeEach(() => {
  memory = openScratchMemory();
});
afterEach(async () => {
  await index.close();
  memory.close();
});

it("applies every change once while searches run beside a slow store", async () => {
  const embedder = wordEmbedder();
  let concurrent = 0;
  let maxConcurrent = 0;
  const source = delayed(openItemChanges(memory.hooklineDb));
  index = openLocalIndex({
    source: {
      ...source,
      async changes(...args) {
        maxConcurrent = Math.max(maxConcurrent, ++concurrent);
        const found = await source.changes(...args);
        concurrent--;
        return found;
      },
    },
    path: memory.searchDb,
    embedder: { type: "ready", embedder },
  });
  for (let id = 1; id <= 250; id++) memory.put(id, { title: `ledger ${id}` });
  const search = () =>
    index.search({ query: "ledger", filters: {}, limit: 5, nowMs: 0, methods: "full_text" });
  index.changed();
  await Promise.all([search(), search(), index.settle(), search()]);
  expect(await index.status()).toMatchObject({ items: 250, waiting: 0, unembedded: 0 });
  expect(new Set(embedder.embedded.filter((text) => text !== "ledger")).size).toBe(250);
  expect(maxConcurrent).toBe(1);
});

it("applies changes between two reads in the next step", async () => {
  let isFirst = true;
  const source = delayed(openItemChanges(memory.hooklineDb), () => {
    if (!isFirst) return;
    isFirst = false;
    memory.put(2, { title: "ledger changed" });
    memory.remove(1);
  });
  memory.put(1, { title: "ledger one" });
  memory.put(2, { title: "ledger two" });
  index = openLocalIndex({ source, path: memory.searchDb, embedder: { type: "none", why: "it is off" } });
  await index.settle();
  const { hits } = await index.search({ query: "ledger", filters: {}, limit: 5, nowMs: 0 });
  expect(hits.map(({ id, title }) => [id, title])).toEqual([[2, "ledger changed"]]);
  expect(await index.status()).toMatchObject({ items: 1, waiting: 0 });
});
