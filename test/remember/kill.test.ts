import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { rowId } from "../../src/event/ids.ts";
import { LOCAL_MODEL } from "../../src/memory/embed/local-model.ts";
import { toDocument } from "../../src/memory/search/document.ts";
import type { MemoryStatus } from "../../src/serve/memory-queries.ts";
import { toIndexedItem } from "../../src/store/sqlite/sqlite-item-changes.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { type EmbedServer, openEmbedServer } from "./embed-server.ts";
import { type Told, tellSession } from "./fire-session-hooks.ts";

const KILLS = 12;
const WRITERS = 3;
const EMBED_MS = 40;

let hookline: Hookline;
let server: EmbedServer | undefined;
afterEach(async () => {
  await hookline?.close();
  await server?.close();
  server = undefined;
});

describe("kill -9 anywhere on the way to memory", () => {
  it("leaves every tool use as one observation, indexed and embedded once", async () => {
    server = await openEmbedServer({ delayMs: () => EMBED_MS * (0.5 + Math.random()) });
    // Context for a prompt costs the embedder a text, which would be counted with those of items.
    const memory = { embedder: server.url, inject: { prompt: false } };
    hookline = openHookline({ config: { rotateBytes: 64 * 1024, memory } });
    const reported: Told = { calls: [], skipped: [], turns: [], prompts: 0 };
    let isWriting = true;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; isWriting; n++)
        await tellSession(hookline, `w${writer}-${n}`, reported, () => isWriting);
    });

    /** For each kill, the texts being embedded at that moment or just before. */
    const cut: string[][] = [];
    const moments: Record<string, number> = {};
    for (let kill = 0; kill < KILLS; kill++) {
      const moment = MOMENTS[kill % MOMENTS.length]!;
      const daemon = await moment.reach();
      await daemon.kill();
      moments[moment.name] = (moments[moment.name] ?? 0) + 1;
      cut.push([...(server.requests.at(-1) ?? [])]);
    }
    isWriting = false;
    await Promise.all(writers);
    const daemon = await hookline.start();
    await remembered();

    const items = itemRows();
    const asked = counted(server.texts());
    console.info(
      `${reported.calls.length} tool uses, ${reported.turns.length} turns, ${items.length} items, ` +
        `${server.texts().length} texts embedded (${asked.size} different), killed ${JSON.stringify(moments)}`,
    );
    expect(reported.calls.length).toBeGreaterThan(200);
    expect(reported.skipped.length).toBeGreaterThan(0);
    expectComplete(reported);
    expectEmbeddedOnce(items, asked, counted(cut.flat()));

    const before = { items, dump: hookline.dump(), requests: server.requests.length };
    expect(await hookline.run("rebuild", "--json")).toMatchObject({ code: 0, stderr: "" });
    await remembered();
    expect(itemRows()).toEqual(before.items);
    expect(hookline.dump()).toEqual(before.dump);
    expectComplete(reported);

    // Once more, killed midway.
    hookline.ask("POST", "/api/rebuild").catch(() => undefined);
    await setTimeout(Math.random() * 300);
    await daemon.kill();
    await hookline.start();
    await remembered();
    expect(itemRows()).toEqual(before.items);
    expect(hookline.dump()).toEqual(before.dump);
    expectComplete(reported);
    expect(server.requests.length - before.requests, "requests to embed again").toBe(0);
    expect(readFileSync(hookline.home.daemonLog, "utf8")).not.toMatch(/restored|corrupt|failed/);
  });

  it("loses no vector when the local model's process is killed", async ({ skip }) => {
    skip(!existsSync(`${LOCAL_MODEL.folder}/model_quantized.onnx`), "the model is not fetched");
    hookline = openHookline({ config: { memory: { embedder: "local", inject: { prompt: false } } } });
    const reported: Told = { calls: [], skipped: [], turns: [], prompts: 0 };
    let rounds = 0;
    const tell = async (): Promise<void> => {
      let turns = 0;
      const names = ["a", "b", "c"].map((name) => `${name}${rounds}`);
      rounds++;
      await Promise.all(names.map((name) => tellSession(hookline, name, reported, () => turns++ < 12, 0)));
    };
    await tell();
    const daemon = await hookline.start();
    const killed: number[] = [];
    const remaining: number[] = [];
    // While the model is loading, and when a part is done.
    for (const least of [0, 1]) {
      await until(async () => {
        const { embedded, unembedded } = (await memoryStatus()).index;
        // Everything was done before the check.
        if (embedded >= 1 && unembedded === 0) await tell().then(makeNow);
        return embedded >= least && unembedded > 0;
      });
      const pid = await until(() => embedderOf(daemon).find((each) => !killed.includes(each)));
      process.kill(pid, "SIGKILL");
      killed.push(pid);
      remaining.push((await memoryStatus()).index.unembedded);
    }
    await remembered();
    expectComplete(reported);
    expect((await memoryStatus()).index).toMatchObject({ unembedded: 0, embedder: LOCAL_MODEL.name });
    console.info(
      `${reported.calls.length} tool uses, embedder killed with ${remaining.join(" and ")} to embed`,
    );
    expect(remaining.every((n) => n > 0)).toBe(true);
  });
});

/** The ways to choose the moment at which a daemon is killed. */
const MOMENTS: readonly { readonly name: string; readonly reach: () => Promise<DaemonChild> }[] = [
  {
    name: "at the start",
    async reach() {
      const daemon = hookline.spawn();
      await setTimeout(200 + Math.random() * 700);
      return daemon;
    },
  },
  {
    name: "while making and indexing",
    async reach() {
      const daemon = await hookline.start();
      makeNow().catch(() => undefined);
      await setTimeout(Math.random() * 150);
      return daemon;
    },
  },
  {
    name: "while embedding",
    async reach() {
      const daemon = await hookline.start();
      makeNow().catch(() => undefined);
      await Promise.race([server!.asking(), setTimeout(5_000)]);
      // Before it can be answered.
      await setTimeout((Math.random() * EMBED_MS) / 2);
      return daemon;
    },
  },
  {
    name: "at work",
    async reach() {
      const daemon = await hookline.start();
      await setTimeout(Math.random() * 800);
      return daemon;
    },
  },
  {
    name: "while rebuilding",
    async reach() {
      const daemon = await hookline.start();
      await setTimeout(Math.random() * 300);
      hookline.ask("POST", "/api/rebuild").catch(() => undefined);
      await setTimeout(Math.random() * 400);
      return daemon;
    },
  },
  {
    name: "after a rebuild",
    async reach() {
      const daemon = await hookline.start();
      await hookline.ask("POST", "/api/rebuild");
      await setTimeout(Math.random() * 200);
      return daemon;
    },
  },
];

/** Memory otherwise waits until a session is idle. */
async function makeNow(): Promise<void> {
  await hookline.settle();
  await hookline.ask("POST", "/api/memory/flush");
}

/** Waits until nothing is left to ingest, build, index and embed. */
async function remembered(): Promise<void> {
  let before = "";
  for (let end = 0; ; await setTimeout(20)) {
    const { spoolDepth } = await hookline.settle();
    const { outbox, index } = await memoryStatus();
    const remaining = {
      spoolDepth,
      outbox,
      waiting: index.waiting,
      unembedded: index.unembedded,
      place: placeOf(),
    };
    if (Object.values(remaining).every((each) => each === 0 || each === "level")) return;
    // No deadline while there is progress: the amount of work depends on how fast hooks and daemons were.
    const now = JSON.stringify(remaining);
    if (now !== before) end = Date.now() + PATIENCE_MS;
    before = now;
    if (Date.now() > end)
      throw new Error(
        `still to do: ${JSON.stringify({ ...remaining, note: index.note, kinds: outboxKinds() })}`,
      );
  }
}

function outboxKinds(): unknown {
  return hookline.query("SELECT kind, count(*) AS n FROM memory_outbox GROUP BY kind");
}

function memoryStatus(): Promise<MemoryStatus> {
  return hookline.ask<MemoryStatus>("GET", "/api/memory");
}

/** A rebuild creates another database: until the index has seen all of it, it may have more. */
function placeOf(): string {
  const [made] = hookline.query("SELECT epoch FROM memory_epoch");
  const saved = searched("SELECT value FROM meta WHERE key = 'place'")[0]?.["value"];
  const place = saved === undefined ? null : JSON.parse(String(saved));
  return place?.epoch === made?.["epoch"] && place?.isResync === false ? "level" : JSON.stringify(place);
}

function expectComplete({ calls, skipped, turns, prompts }: Told): void {
  const ids = (sql: string): number[] =>
    hookline
      .query(sql)
      .map((row) => row["id"] as number)
      .sort((a, b) => a - b);
  const wanted = calls.map((id) => rowId("observation", id)).sort((a, b) => a - b);
  expect(ids("SELECT id FROM memory_items WHERE kind = 'observation'")).toEqual(wanted);
  expect(ids("SELECT id FROM observations WHERE compressed_observation IS NOT NULL")).toEqual(wanted);
  expect(
    hookline.query("SELECT 1 FROM memory_items WHERE json_extract(content_json, '$.title') = ''"),
  ).toEqual([]);
  const remaining = skipped.map((id) => rowId("observation", id));
  expect(ids("SELECT id FROM memory_items").filter((id) => remaining.includes(id))).toEqual([]);

  const summaries = turns.map((key) => rowId("summary", key)).sort((a, b) => a - b);
  expect(ids("SELECT id FROM session_summaries")).toEqual(summaries);
  expect(ids("SELECT id FROM memory_items WHERE kind = 'summary'")).toEqual(summaries);
  expect(ids("SELECT id FROM memory_items WHERE kind = 'prompt'")).toHaveLength(prompts);
  expect(hookline.query("SELECT * FROM memory_outbox")).toEqual([]);

  const all = ids("SELECT id FROM memory_items");
  const docs = searched("SELECT item_id AS id FROM docs ORDER BY item_id").map((row) => row["id"]);
  expect(docs).toEqual(all);
  expect(searched("SELECT * FROM to_embed")).toEqual([]);
  const counts = searched(`SELECT (SELECT count(*) FROM words_docsize) AS words,
    (SELECT count(*) FROM codes c JOIN docs d ON d.doc = c.doc AND d.embedding_hash = c.hash) AS codes,
    (SELECT count(*) FROM codes) AS allCodes,
    (SELECT count(*) FROM vectors v JOIN docs d ON d.doc = v.doc) AS vectors,
    (SELECT count(*) FROM vectors) AS allVectors`)[0];
  const n = all.length;
  expect({ ...counts }).toEqual({ words: n, codes: n, allCodes: n, vectors: n, allVectors: n });
}

/** Expects each item to be embedded once, and again only if a kill interrupted its embedding. */
function expectEmbeddedOnce(
  items: readonly Record<string, unknown>[],
  asked: ReadonlyMap<string, number>,
  cut: ReadonlyMap<string, number>,
): void {
  const texts = items.map(
    (row) => toDocument(toIndexedItem({ ...row, payload_json: null, call_json: null })).embeddingText,
  );
  expect(new Set(texts).size, "each text tells its item").toBe(items.length);
  expect(texts.filter((text) => !asked.has(text))).toEqual([]);
  const tooOften = [...asked].filter(([text, times]) => times > 1 + (cut.get(text) ?? 0));
  expect(tooOften).toEqual([]);
  const again = [...asked.values()].reduce((sum, times) => sum + times - 1, 0);
  const isOld = [...asked.keys()].filter((text) => !texts.includes(text));
  console.info(`${again} texts embedded again after a kill, ${isOld.length} of what an item said before`);
}

function itemRows(): Record<string, unknown>[] {
  return hookline.query("SELECT * FROM memory_items ORDER BY id").map((row) => ({ ...row }));
}

function searched(sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(hookline.home.searchDb, { readOnly: true, timeout: 5_000 });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Child processes of the daemon that run the model. */
function embedderOf(daemon: DaemonChild): number[] {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  const rows = table.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  return rows.flatMap((row) =>
    row !== null && Number(row[2]) === daemon.pid && /embed-child|hookline-embedder/.test(row[3]!)
      ? [Number(row[1])]
      : [],
  );
}

async function until<T>(
  check: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await setTimeout(10)) {
    const found = await check();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_MS} ms: ${check}`);
  }
}
