import { afterEach, beforeEach, expect, it } from "vitest";
import type { ItemChanges } from "../../store/item-changes.ts";
import { openItemChanges } from "../../store/sqlite/sqlite-item-changes.ts";
import { type LocalIndex, openLocalIndex } from "./local-index.ts";
import { openScratchMemory, type ScratchMemory, wordEmbedder } from "./scratch-memory.testing.ts";

/** A store that answers late, each time in a later turn of the event loop. */
function slowly(source: ItemChanges, onChanges: () => void = () => undefined): ItemChanges {
  const later = () => new Promise((resolve) => setTimeout(resolve, 2));
  return {
    ...source,
    async epoch() {
      await later();
      return source.epoch();
    },
    async changes(epoch, after, limit) {
      const found = await source.changes(epoch, after, limit);
      await later();
      onChanges();
      return found;
    },
    async items(ids) {
      await later();
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

it("searches beside the following of a store that answers late take in nothing twice, and lose nothing", async () => {
  const embedder = wordEmbedder();
  let reading = 0;
  let most = 0;
  const source = slowly(openItemChanges(memory.hooklineDb));
  index = openLocalIndex({
    source: {
      ...source,
      async changes(...asked) {
        most = Math.max(most, ++reading);
        const found = await source.changes(...asked);
        reading--;
        return found;
      },
    },
    path: memory.searchDb,
    embedder: { type: "ready", embedder },
  });
  for (let id = 1; id <= 250; id++) memory.put(id, { title: `ledger ${id}` });
  const ask = () => index.search({ query: "ledger", filters: {}, limit: 5, nowMs: 0, methods: "full_text" });
  index.changed();
  await Promise.all([ask(), ask(), index.settle(), ask()]);
  expect(await index.status()).toMatchObject({ items: 250, waiting: 0, unembedded: 0 });
  expect(new Set(embedder.embedded.filter((text) => text !== "ledger")).size).toBe(250);
  expect(most).toBe(1);
});

it("what changes between two reads is taken in with the next", async () => {
  let isFirst = true;
  const source = slowly(openItemChanges(memory.hooklineDb), () => {
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
