import { expect, it } from "vitest";
import type { ItemChanges } from "../../store/item-changes.ts";
import { openItemChanges } from "../../store/sqlite/sqlite-item-changes.ts";
import { openIndexContents } from "./index-contents.ts";
import { openScratchMemory } from "./scratch-memory.testing.ts";

it("finishes a running step before it starts empty with a new file", async () => {
  const memory = openScratchMemory();
  memory.put(1, { title: "ledger lock" });
  const changes = openItemChanges(memory.hooklineDb);
  const reading = Promise.withResolvers<void>();
  const slowSource: ItemChanges = {
    ...changes,
    async changes(...query) {
      await reading.promise;
      return changes.changes(...query);
    },
  };
  const contents = openIndexContents({
    source: slowSource,
    path: memory.searchDb,
    nowMs: () => performance.now(),
  });
  const limits = { items: 20, ms: 1_000 };
  const step = contents.follow(limits);
  await changes.epoch();
  const reset = contents.reset();
  reading.resolve();
  expect(await step).toBe(false);
  await reset;
  const count = () => contents.db.sql("SELECT count(*) AS n FROM docs").get()!["n"];
  expect(count()).toBe(0);
  while (!(await contents.follow(limits)));
  expect(count()).toBe(1);
  await contents.close();
  await changes.close();
  memory.close();
});
