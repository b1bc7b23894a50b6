import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openItemChanges } from "../../store/sqlite/sqlite-item-changes.ts";
import type { SearchFilters } from "../memory-contract.ts";
import { type LocalIndex, openLocalIndex } from "./local-index.ts";
import type { SearchRequest } from "./memory-index.ts";
import { openScratchMemory, type ScratchMemory, wordEmbedder } from "./scratch-memory.testing.ts";

const NOW_MS = Date.parse("2026-01-02T00:00:00Z");
let memory: ScratchMemory;
let index: LocalIndex;
let embedder: ReturnType<typeof wordEmbedder>;

function open(embedderToUse = embedder): LocalIndex {
  const { hooklineDb, searchDb } = memory;
  return openLocalIndex({
    source: openItemChanges(hooklineDb),
    path: searchDb,
    embedder: { type: "ready", embedder: embedderToUse },
  });
}

async function find(query: string, more: Partial<SearchRequest> = {}): Promise<number[]> {
  const { hits } = await index.search({ query, filters: {}, limit: 10, nowMs: NOW_MS, ...more });
  return hits.map((hit) => hit.id);
}

beforeEach(() => {
  memory = openScratchMemory();
  embedder = wordEmbedder();
  index = open();
});

afterEach(async () => {
  await index.close();
  memory.close();
});

describe("openLocalIndex", () => {
  it("indexes added, changed and removed items", async () => {
    memory.put(1, { title: "ledger lock" });
    memory.put(2, { title: "upload retry" });
    await index.settle();
    expect(await find("ledger")).toContain(1);
    memory.put(1, { title: "carousel leak" });
    memory.remove(2);
    await index.settle();
    expect(await find("ledger lock", { methods: "full_text" })).toEqual([]);
    expect(await find("carousel")).toEqual([1]);
    expect(await index.status()).toMatchObject({ items: 1, waiting: 0, embedded: 1, unembedded: 0 });
  });

  it("finds an item that was just written, before settling", async () => {
    await index.settle();
    memory.put(1, { title: "ledger lock" });
    index.changed();
    expect(await find("ledger")).toEqual([1]);
  });

  it("embeds an item again only when its text changes", async () => {
    memory.put(1, { title: "ledger lock" });
    await index.settle();
    memory.put(1, { title: "ledger lock", pinned: true });
    await index.settle();
    expect(embedder.embedded).toEqual(["ledger lock"]);
    memory.put(1, { title: "ledger key" });
    await index.settle();
    expect(embedder.embedded).toEqual(["ledger lock", "ledger key"]);
  });

  it("finds an item by its tool's output", async () => {
    memory.put(1, { title: "ran the tests", output: "AssertionError: expected 3" });
    await index.settle();
    expect(await find("AssertionError", { methods: "full_text" })).toEqual([1]);
  });

  it("says how a call ended that did not succeed, by its record and not by its title", async () => {
    const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    memory.put(1, { title: "ledger", success: true, output: rejected });
    memory.put(2, { title: "Not allowed: ledger", success: false, output: "exit 1" });
    memory.put(3, { title: "ledger", success: false, denial: "user-rejected" });
    memory.put(4, { title: "ledger", success: false, output: rejected });
    memory.put(5, { title: "ledger", success: false, denial: "interrupted" });
    memory.put(6, { title: "ledger", success: null });
    // An imported item has no recorded call.
    memory.put(7, { title: "User refused: ledger", success: false });
    memory.put(8, { title: "ledger", success: false });
    await index.settle();
    const { hits } = await index.search({ query: "ledger", filters: {}, limit: 10, nowMs: NOW_MS });
    expect(Object.fromEntries(hits.map(({ id, outcome }) => [id, outcome]))).toEqual({
      1: null,
      2: "failed",
      3: "denied",
      4: "denied",
      5: "interrupted",
      6: null,
      7: "denied",
      8: "failed",
    });
  });

  it("explains a hit, with marks in its snippet", async () => {
    const files = ["/p/src/ledger.ts"];
    memory.put(1, { title: "lock", narrative: "the ledger lock waits", filesModified: files, pinned: true });
    await index.settle();
    const { hits, mode, note } = await index.search({
      query: "ledger lock",
      filters: {},
      limit: 1,
      nowMs: NOW_MS,
      files,
    });
    expect([mode, note]).toEqual(["fused", null]);
    const [hit] = hits;
    expect(hit).toMatchObject({ id: 1, files, why: { sameFile: true, pinned: true } });
    expect(hit!.why.fullText).toBeGreaterThan(0);
    expect(hit!.why.vector).toBeGreaterThan(0.5);
    expect(hit!.marks.map(([from, to]) => hit!.snippet.slice(from, to))).toEqual([
      "ledger",
      "lock",
      "ledger",
    ]);
  });

  it("skips an item that cannot be read", async () => {
    memory.put(1, { title: "ledger one" });
    memory.store.db.sql("UPDATE memory_items SET content_json = '{'").run();
    memory.put(2, { title: "ledger two" });
    await index.settle();
    expect(await find("ledger")).toEqual([2]);
    expect(await index.status()).toMatchObject({ items: 1, waiting: 0, note: null });
  });

  it("returns the newest items for an empty query", async () => {
    memory.put(1, { title: "old", at: "2025-01-01T00:00:00.000Z" });
    memory.put(2, { title: "new" });
    await index.settle();
    expect(await find("  ")).toEqual([2, 1]);
    expect(await find("", { filters: { untilIso: "2025-06-01" } })).toEqual([1]);
  });

  describe("for a query without matching words", () => {
    /** Directions like those of a model trained on English only. */
    const DIRECTIONS: Readonly<Record<string, readonly number[]>> = {
      zxqwv: [0.5, 0, 0, 0.87],
      "ship it": [0.5, 0.87],
      authn: [0.1, 0, 0.3, 0.95],
      "faster login": [0, 0, 1],
    };
    const vectorOf = (text: string): Float32Array => {
      const known = Object.keys(DIRECTIONS).find((key) => text.includes(key));
      const isKorean = /\p{Script=Hangul}/u.test(text);
      const direction = isKorean ? [0, 0, 0, 0, 1] : (DIRECTIONS[known ?? ""] ?? [1]);
      const vector = Float32Array.from({ length: 96 }, (_, at) => direction[at] ?? 0);
      return vector.map((value) => value / Math.hypot(...vector));
    };
    beforeEach(async () => {
      embedder.embed = async (texts) => texts.map(vectorOf);
      memory.put(1, { title: "ship it" });
      memory.put(2, { title: "faster login" });
      memory.put(3, { title: "장바구니 합계" });
      await index.settle();
    });

    it("returns nothing that is no nearer than meaningless texts", async () => {
      expect(await find("zxqwv")).toEqual([]);
      expect(await find("zxqwv", { methods: "vector" })).toContain(1);
    });

    it("returns items near in meaning", async () => {
      expect(await find("authn")).toEqual([2]);
    });

    it("returns only word matches in a script that the model does not read", async () => {
      expect(await find("반올림")).toEqual([]);
      expect(await find("장바구니")).toEqual([3]);
    });
  });

  it("completes the last word if no item contains it", async () => {
    memory.put(1, { title: "authentication of users" });
    await index.settle();
    expect(await find("authen", { methods: "full_text" })).toEqual([1]);
  });

  it("returns only phrase matches if everything is quoted, and otherwise ranks them first", async () => {
    memory.put(1, { title: "lock the file", narrative: "lock lock a file file" });
    memory.put(2, {
      title: "about",
      narrative: "a lock file that many words surround, of which none helps to find it",
    });
    await index.settle();
    expect(await find('"lock file"')).toEqual([2]);
    expect((await find('lock "lock file" file'))[0]).toBe(2);
  });

  it("excludes the ids in `except`", async () => {
    memory.put(1, { title: "ledger" });
    memory.put(2, { title: "ledger" });
    await index.settle();
    expect(await find("ledger", { except: [2] })).toEqual([1]);
  });
});

describe("openLocalIndex with a filter", () => {
  beforeEach(async () => {
    const at = "2025-03-01T00:00:00.000Z";
    memory.put(1, {
      title: "ledger one",
      project: "/home/a/shop",
      tool: "Bash",
      type: "failure",
      success: false,
    });
    memory.put(2, {
      title: "ledger two",
      project: "/home/b/shop-api",
      session: "s2",
      branch: "dev",
      tool: "Edit",
    });
    memory.put(3, {
      title: "ledger three",
      filesModified: ["/p/src/pool.ts"],
      kind: "summary",
      tool: null,
      at,
    });
    await index.settle();
  });

  const cases: readonly (readonly [SearchFilters, readonly number[]])[] = [
    [{ project: "/home/a/shop" }, [1]],
    [{ project: "shop" }, [1]],
    [{ project: "b/shop-api/" }, [2]],
    [{ session: "s2" }, [2]],
    [{ kind: "summary" }, [3]],
    [{ tool: "Edit" }, [2]],
    [{ type: "failure" }, [1]],
    [{ file: "pool.ts" }, [3]],
    [{ file: "src/pool.ts" }, [3]],
    [{ file: "ool.ts" }, []],
    [{ branch: "dev" }, [2]],
    [{ sinceIso: "2025-12-01T00:00:00Z" }, [1, 2]],
    [{ untilIso: "2025-12-01T00:00:00Z" }, [3]],
    [{ success: false }, [1]],
    [{ success: false, tool: "Edit" }, []],
    [{ project: "nowhere" }, []],
  ];
  it.each(cases)("%j passes %j, by words and by vectors", async (filters, ids) => {
    for (const methods of ["full_text", "vector", "both"] as const)
      expect((await find("ledger", { filters, methods })).sort()).toEqual(ids);
  });
});

describe("openLocalIndex without vectors answers by full text and says why", () => {
  it("if there is no embedder", async () => {
    const { hooklineDb, searchDb } = memory;
    const withoutEmbedder = openLocalIndex({
      source: openItemChanges(hooklineDb),
      path: `${searchDb}2`,
      embedder: { type: "none", why: "it is off" },
    });
    memory.put(1, { title: "ledger" });
    await withoutEmbedder.settle();
    const answer = await withoutEmbedder.search({ query: "ledger", filters: {}, limit: 5, nowMs: NOW_MS });
    expect(answer).toMatchObject({ mode: "full_text", note: expect.stringContaining("it is off") });
    expect(answer.hits).toHaveLength(1);
    expect(await withoutEmbedder.status()).toMatchObject({
      embedder: null,
      embedded: 0,
      unembedded: 1,
      note: "it is off",
    });
    await withoutEmbedder.close();
  });

  it("if the embedder takes too long", async () => {
    memory.put(1, { title: "ledger" });
    await index.settle();
    embedder.embed = () => new Promise(() => {});
    const answer = await index.search({
      query: "ledger",
      filters: {},
      limit: 5,
      nowMs: NOW_MS,
      deadlineMs: 20,
    });
    expect(answer).toMatchObject({ mode: "full_text", note: "the embedder took too long" });
    expect(answer.hits.map((hit) => hit.id)).toEqual([1]);
  });

  it("if the embedder fails, and embeds the items later", async () => {
    const { embed } = embedder;
    embedder.embed = () => Promise.reject(new Error("no route to host"));
    memory.put(1, { title: "ledger" });
    await index.settle();
    expect(await index.status()).toMatchObject({ unembedded: 1, note: "no route to host" });
    embedder.embed = embed;
    await index.settle();
    expect(await index.status()).toMatchObject({ unembedded: 0, note: null });
  });
});

describe("openLocalIndex with a replaced database", () => {
  it("follows it from its start, embeds only new text, and drops missing items", async () => {
    for (const id of [1, 2, 3]) memory.put(id, { title: `ledger ${id}` });
    await index.settle();
    expect(embedder.embedded).toHaveLength(3);
    const rebuilt = openScratchMemory("made.db", memory.folder);
    rebuilt.put(3, { title: "ledger 3" });
    rebuilt.put(1, { title: "ledger one" });
    rebuilt.store.db.sql("INSERT INTO memory_outbox (kind, key) VALUES ('call', 'x')").run();
    rebuilt.store.db.raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    renameSync(rebuilt.hooklineDb, memory.hooklineDb);
    await index.settle();
    // Memory is not ready: items not rebuilt yet may still come.
    expect((await index.status()).items).toBe(3);
    expect((await find("ledger")).sort()).toEqual([1, 3]);
    rebuilt.store.close();
    const database = new DatabaseSync(memory.hooklineDb);
    database.exec("DELETE FROM memory_outbox");
    database.close();
    await index.settle();
    expect((await index.status()).items).toBe(2);
    const query = "ledger";
    expect(embedder.embedded.filter((text) => text !== query)).toHaveLength(4);
  });
});

describe("openLocalIndex with another embedder", () => {
  it("embeds all items again, and ignores old vectors meanwhile", async () => {
    for (const id of [1, 2]) memory.put(id, { title: `ledger ${id}` });
    await index.settle();
    await index.close();
    const other = wordEmbedder("other@2");
    const { embed } = other;
    other.embed = () => Promise.reject(new Error("not yet"));
    index = open(other);
    await index.settle();
    expect(await index.search({ query: "ledger", filters: {}, limit: 5, nowMs: NOW_MS })).toMatchObject({
      mode: "full_text",
    });
    expect(await index.status()).toMatchObject({ embedded: 0, unembedded: 2 });
    other.embed = embed;
    await index.settle();
    expect(other.embedded.sort()).toEqual(["ledger", "ledger 1", "ledger 2"].slice(1));
    expect(await find("ledger", { methods: "vector" })).toHaveLength(2);
  });
});

describe("the index file", () => {
  it.each([
    ["is not a database", (path: string) => writeFileSync(path, "no database at all, only text".repeat(200))],
    [
      "belongs to another program",
      (path: string) => new DatabaseSync(path).exec("CREATE TABLE t (x); PRAGMA user_version = 1"),
    ],
    ["is truncated", (path: string) => copyFileSync("/dev/null", path)],
  ])("is rebuilt when it %s", async (_, corrupt) => {
    memory.put(1, { title: "ledger" });
    await index.settle();
    await index.close();
    for (const end of ["-wal", "-shm"]) copyFileSync("/dev/null", `${memory.searchDb}${end}`);
    copyFileSync("/dev/null", memory.searchDb);
    corrupt(memory.searchDb);
    index = open();
    await index.settle();
    expect(await find("ledger")).toEqual([1]);
  });

  it("is rebuilt when it turns out to be corrupt in use", async () => {
    for (let id = 1; id <= 300; id++) memory.put(id, { title: `ledger ${id} ${"word ".repeat(20)}` });
    await index.settle();
    await index.close();
    const bytes = readFileSync(memory.searchDb);
    bytes.fill(0x5a, 8192 * 2);
    writeFileSync(memory.searchDb, bytes);
    index = open();
    await index.settle();
    await index.search({ query: "ledger", filters: {}, limit: 10, nowMs: NOW_MS }).catch(() => {});
    await index.settle();
    expect(await find("ledger")).toHaveLength(10);
  });

  it("contains nothing deleted after a scrub", async () => {
    memory.put(1, { title: "kept ledger", project: "/kept", filesRead: ["/kept/a.ts"] });
    memory.put(2, {
      title: "zebrafish",
      project: "/quagga",
      branch: "okapi",
      filesRead: ["/quagga/tapir.ts"],
    });
    memory.put(3, { title: "kept too", narrative: "pangolin", output: "numbat" });
    await index.settle();
    const has = (word: string): boolean =>
      ["", "-wal"].some((end) => readFileSync(`${memory.searchDb}${end}`).includes(word));
    expect(["zebrafish", "quagga", "okapi", "tapir", "pangolin", "numbat"].every(has)).toBe(true);
    memory.remove(2);
    memory.put(3, { title: "kept too" });
    await index.scrub();
    expect(["zebrafish", "quagga", "okapi", "tapir", "pangolin", "numbat"].filter(has)).toEqual([]);
    expect(has("kept")).toBe(true);
    expect(await find("kept", { methods: "full_text" })).toHaveLength(2);
  });
});
