// Retrieval quality of the product's own index and search: `npm run bench:retrieval -- DIR [--json] [--run
// FILE]`. DIR holds corpus.jsonl {id,text}, queries.jsonl {qid,text} and qrels.jsonl {qid,id,rel}.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEmbedder } from "../src/memory/embed/embedder.ts";
import type { ItemContent } from "../src/memory/memory-item.ts";
import { type LocalIndex, openLocalIndex } from "../src/memory/search/local-index.ts";
import { openItemChanges } from "../src/store/sqlite/sqlite-item-changes.ts";
import { openSqliteStore } from "../src/store/sqlite/sqlite-store.ts";

interface Text {
  readonly id: string;
  readonly text: string;
}
type Ranking = ReadonlyMap<string, readonly string[]>;
type Relevant = ReadonlyMap<string, ReadonlyMap<string, number>>;
interface Figures {
  readonly r5: number;
  readonly r10: number;
  readonly ndcg10: number;
  readonly mrr: number;
}

const WAYS = { fts: "full_text", vector: "vector", fused: "both" } as const;
const NOW_MS = Date.parse("2026-01-02T00:00:00Z");
const RUN_DEPTH = 100;

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: "boolean" }, run: { type: "string" }, embedder: { type: "string" } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) {
    process.stderr.write("usage: npm run bench:retrieval -- DIR [--json] [--run FILE] [--embedder NAME]\n");
    return 2;
  }
  const corpus = readLines(join(folder, "corpus.jsonl")).map(({ id, text }) => ({ id, text }) as Text);
  const queries = readLines(join(folder, "queries.jsonl")).map(
    ({ qid, text }) => ({ id: qid, text }) as Text,
  );
  const relevant = readRelevant(join(folder, "qrels.jsonl"));
  const scratch = mkdtempSync(join(tmpdir(), "hookline-retrieval-"));
  try {
    const hooklineDb = join(scratch, "hookline.db");
    writeItems(hooklineDb, corpus);
    const embedder = openEmbedder({ embedder: values.embedder ?? "local", embedderModel: null });
    const index = openLocalIndex({
      source: openItemChanges(hooklineDb),
      path: join(scratch, "search.db"),
      embedder,
    });
    await indexWithProgress(index);
    const figures: Record<string, Figures> = {};
    for (const [name, ways] of Object.entries(WAYS)) {
      const ranking = await rankAll(index, corpus, queries, ways);
      figures[name] = toFigures(ranking, relevant);
      if (name === "fused" && values.run !== undefined) writeRun(values.run, ranking);
    }
    await index.close();
    process.stdout.write(values.json === true ? `${JSON.stringify(figures)}\n` : table(figures));
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Writes each text as an item in a product database: the first line is the title, the rest the narrative. */
function writeItems(path: string, corpus: readonly Text[]): void {
  const { db, close } = openSqliteStore(path);
  const insert = db.raw.prepare(
    `INSERT INTO memory_items (id, kind, session_id, project, prompt_number, tool_name, type, title, branch, success,
       created_at, made_by, content_json) VALUES (?, 'observation', 's', '/p', 1, 'Read', ?, ?, NULL, 1, ?, 'rules', ?)`,
  );
  db.transaction(() => {
    for (const [index, { text }] of corpus.entries()) {
      const content = toContent(text);
      const createdAt = new Date(NOW_MS - 86_400_000).toISOString();
      insert.run(index + 1, content.type, content.title, createdAt, JSON.stringify(content));
    }
  });
  close();
}

function toContent(text: string): ItemContent {
  const end = text.indexOf("\n");
  const title = text.slice(0, Math.min(120, end === -1 ? text.length : end));
  const narrative = text.slice(title.length).replace(/^\n/, "");
  return { type: "discovery", title, facts: [], narrative, filesRead: [], filesModified: [], concepts: [] };
}

async function indexWithProgress(index: LocalIndex): Promise<void> {
  const timer = setInterval(async () => {
    const { items, embedded } = await index.status();
    if (process.stderr.isTTY) process.stderr.write(`\r${embedded} of ${items} embedded  `);
  }, 1000);
  await index.settle();
  clearInterval(timer);
  if (process.stderr.isTTY) process.stderr.write("\n");
  const { note } = await index.status();
  if (note !== null) process.stderr.write(`${note}\n`);
}

async function rankAll(
  index: LocalIndex,
  corpus: readonly Text[],
  queries: readonly Text[],
  methods: "full_text" | "vector" | "both",
): Promise<Ranking> {
  const ranking = new Map<string, readonly string[]>();
  for (const { id, text } of queries) {
    const { hits } = await index.search({
      query: text,
      filters: {},
      limit: RUN_DEPTH,
      methods,
      nowMs: NOW_MS,
    });
    ranking.set(
      id,
      hits.map((hit) => corpus[hit.id - 1]!.id),
    );
  }
  return ranking;
}

/** Averages over the queries that have relevant documents, in percent. */
function toFigures(ranking: Ranking, relevant: Relevant): Figures {
  const each = [...relevant].map(([qid, wanted]) => {
    const ids = ranking.get(qid) ?? [];
    const gains = ids.slice(0, 10).map((id) => wanted.get(id) ?? 0);
    const best = [...wanted.values()].sort((a, b) => b - a).slice(0, 10);
    const first = gains.findIndex((gain) => gain > 0);
    const recall = (depth: number): number => gains.slice(0, depth).filter((g) => g > 0).length / wanted.size;
    return {
      r5: recall(5),
      r10: recall(10),
      ndcg10: discounted(gains) / discounted(best),
      mrr: first === -1 ? 0 : 1 / (first + 1),
    };
  });
  const mean = (key: keyof Figures): number =>
    Math.round((1000 * each.reduce((sum, one) => sum + one[key], 0)) / Math.max(1, each.length)) / 10;
  return { r5: mean("r5"), r10: mean("r10"), ndcg10: mean("ndcg10"), mrr: mean("mrr") };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, rank) => sum + (2 ** gain - 1) / Math.log2(rank + 2), 0);
}

function table(figures: Readonly<Record<string, Figures>>): string {
  const line = (cells: readonly (string | number)[]): string =>
    `${cells.map((cell) => (typeof cell === "number" ? cell.toFixed(1) : cell).padStart(8)).join("")}\n`;
  const rows = Object.entries(figures).map(([name, { r5, r10, ndcg10, mrr }]) =>
    line([name, r5, r10, ndcg10, mrr]),
  );
  return line(["", "R@5", "R@10", "nDCG@10", "MRR@10"]) + rows.join("");
}

function writeRun(path: string, ranking: Ranking): void {
  writeFileSync(path, [...ranking].map(([qid, ids]) => `${JSON.stringify({ qid, ids })}\n`).join(""));
}

function readRelevant(path: string): Relevant {
  const relevant = new Map<string, Map<string, number>>();
  for (const { qid, id, rel } of readLines(path) as unknown as { qid: string; id: string; rel: number }[]) {
    if (rel <= 0) continue;
    relevant.set(qid, (relevant.get(qid) ?? new Map<string, number>()).set(id, rel));
  }
  return relevant;
}

function readLines(path: string): Record<string, unknown>[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
