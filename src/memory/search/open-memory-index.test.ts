import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { itemChangesLocation, openItemChanges } from "../../store/sqlite/sqlite-item-changes.ts";
import { openLocalIndex } from "./local-index.ts";
import { openMemoryIndex } from "./open-memory-index.ts";
import { openScratchMemory, type ScratchMemory, wordEmbedder } from "./scratch-memory.testing.ts";

let memory: ScratchMemory;
beforeEach(() => {
  memory = openScratchMemory();
});
afterEach(() => memory.close());

describe("openMemoryIndex", () => {
  it("answers like the local index, and ends when closed", async () => {
    const { hooklineDb, searchDb } = memory;
    memory.put(1, { title: "ledger lock" });
    const index = openMemoryIndex({
      source: itemChangesLocation(hooklineDb),
      path: searchDb,
      embedder: { embedder: null, embedderModel: null },
    });
    index.changed();
    index.warm();
    await index.settle();
    const request = { query: "ledger", filters: {}, limit: 5, nowMs: 0 };
    expect((await index.search(request)).hits.map((hit) => hit.id)).toEqual([1]);
    expect(await index.status()).toMatchObject({ items: 1, embedder: null });
    await index.scrub();
    await index.close();
    await expect(index.search(request)).rejects.toMatchObject({ code: "search_closed" });
  });

  it("restarts after a crash, and rejects pending calls", async () => {
    const { hooklineDb, folder, searchDb } = memory;
    const missingFolder = join(folder, "later");
    const embedder = { embedder: null, embedderModel: null };
    const index = openMemoryIndex({
      source: itemChangesLocation(hooklineDb),
      path: join(missingFolder, "search.db"),
      embedder,
    });
    await expect(index.status()).rejects.toMatchObject({ code: "search_failed" });
    mkdirSync(missingFolder);
    memory.put(1, { title: "ledger" });
    await index.settle();
    expect(await index.status()).toMatchObject({ items: 1 });
    await index.close();
    expect(existsSync(searchDb)).toBe(false);
  });

  it("does not start its thread when closed", async () => {
    const { hooklineDb, searchDb: path } = memory;
    await openMemoryIndex({
      source: itemChangesLocation(hooklineDb),
      path,
      embedder: { embedder: null, embedderModel: null },
    }).close();
    await expect(async () => new DatabaseSync(path, { readOnly: true })).rejects.toThrow();
  });
});

describe("openLocalIndex killed at any time", () => {
  it("loses nothing, and embeds nothing twice", async () => {
    const items = 400;
    for (let id = 1; id <= items; id++) memory.put(id, { title: `ledger entry ${id}` });
    const script = `
      const { openLocalIndex } = await import(${JSON.stringify(join(import.meta.dirname, "local-index.ts"))});
      const { wordEmbedder } = await import(${JSON.stringify(join(import.meta.dirname, "scratch-memory.testing.ts"))});
      const embedder = wordEmbedder();
      const { embed } = embedder;
      embedder.embed = async (texts) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return await embed(texts);
      };
      const { openItemChanges } = await import(${JSON.stringify(itemChangesLocation("").module)});
      await openLocalIndex({ source: openItemChanges(${JSON.stringify(memory.hooklineDb)}), path: ${JSON.stringify(memory.searchDb)},
        embedder: { type: "ready", embedder } }).settle();
      process.stdout.write("done");`;
    let isDone = false;
    for (let attempt = 0; attempt < 60 && !isDone; attempt++) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      child.stdout.on("data", () => {
        isDone = true;
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), 150 * 1.1 ** attempt);
      await once(child, "close");
      clearTimeout(timer);
      check(memory.searchDb, items, isDone);
    }
    expect(isDone).toBe(true);
    const embedder = wordEmbedder();
    const index = openLocalIndex({
      source: openItemChanges(memory.hooklineDb),
      path: memory.searchDb,
      embedder: { type: "ready", embedder },
    });
    await index.settle();
    expect(embedder.embedded).toEqual([]);
    expect(await index.status()).toMatchObject({ items, waiting: 0, embedded: items });
    await index.close();
  });
});

/** Each document is either embedded or queued for it, never both or neither. */
function check(path: string, items: number, isDone: boolean): void {
  if (!existsSync(path)) return;
  // Opened for writing: the next process to open it repairs what a killed one left.
  const db = new DatabaseSync(path, { timeout: 2_000 });
  const count = (sql: string): number => Number(Object.values(db.prepare(sql).get()!)[0]);
  if (count("SELECT count(*) FROM sqlite_schema") > 0) {
    expect(
      count(`SELECT count(*) FROM docs d LEFT JOIN to_embed t ON t.doc = d.doc LEFT JOIN codes c ON c.doc = d.doc
        WHERE (t.doc IS NULL) = (c.doc IS NULL)`),
    ).toBe(0);
    if (isDone) expect(count("SELECT count(*) FROM codes")).toBe(items);
  }
  db.close();
}
