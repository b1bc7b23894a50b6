// Queries a filled index through the public interface, with thread and embedder, and plain FTS5 beside it.

import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEmbedder } from "../../src/memory/embed/embedder.ts";
import type { SearchFilters } from "../../src/memory/memory-contract.ts";
import { openLocalIndex } from "../../src/memory/search/local-index.ts";
import { openMemoryIndex } from "../../src/memory/search/open-memory-index.ts";
import { itemChangesLocation, openItemChanges } from "../../src/store/sqlite/sqlite-item-changes.ts";
import { createSeededRandom, historyItem, VOCABULARY } from "./coding-history.ts";
import { plantedId } from "./fill-history.ts";
import { PLANTED } from "./planted-items.ts";
import { quantile } from "./statistics.ts";

export interface SearchFigures {
  readonly size: number;
  readonly all: Readonly<Record<"count" | "p50" | "p95" | "most" | "cpuP50" | "cpuP95", number>>;
  readonly plain: { readonly p50: number; readonly p95: number };
  readonly classes: Readonly<
    Record<string, Readonly<Record<"p50" | "p95" | "plainP50" | "plainP95", number>>>
  >;
  readonly recall: Readonly<Record<"capped" | "words" | "uncapped" | "plain", number>>;
  readonly bytes: number;
  readonly plainBytes: number;
  readonly sourceBytes: number;
  readonly rssBytes: number;
  readonly firstMs: number;
}

interface BenchQuery {
  readonly kind: string;
  readonly query: string;
  readonly filters: SearchFilters;
  readonly wanted: number | null;
}

const EMBEDDER = { embedder: "local", embedderModel: null } as const;
const NOW_MS = Date.parse("2026-01-02T00:00:00Z");
const EACH = 24;

export async function measureSearch(folder: string, size: number): Promise<SearchFigures> {
  const hooklineDb = join(folder, "hookline.db");
  const path = join(folder, "search.db");
  const mix = queryMix(size);
  const rssBefore = process.memoryUsage.rss();
  const beganMs = performance.now();
  const index = openMemoryIndex({ source: itemChangesLocation(hooklineDb), path, embedder: EMBEDDER });
  index.warm();
  await index.settle();
  const ask = (asked: BenchQuery) =>
    index.search({ query: asked.query, filters: asked.filters, limit: 10, nowMs: NOW_MS });
  await ask(mix[0]!);
  const firstMs = performance.now() - beganMs;
  for (const asked of mix.filter((_, at) => at % 5 === 0)) await ask(asked);
  const plain = openPlain(join(folder, "plain.db"));
  const times: Readonly<{ kind: string; ms: number; cpuMs: number; plainMs: number }>[] = [];
  let [capped, plainFound] = [0, 0];
  for (const asked of mix) {
    const answer = await timed(() => ask(asked));
    if (answer.result.mode !== "fused") throw new Error(`no vectors: ${answer.result.note}`);
    const beside = await timed(async () => plain.search(asked.query));
    times.push({ kind: asked.kind, ms: answer.ms, cpuMs: answer.cpuMs, plainMs: beside.ms });
    if (answer.result.hits.some((hit) => hit.id === asked.wanted)) capped++;
    if (asked.wanted !== null && beside.result.includes(asked.wanted)) plainFound++;
  }
  const rssBytes = process.memoryUsage.rss() - rssBefore;
  await index.close();
  const wanted = mix.filter((asked) => asked.wanted !== null);
  const share = (count: number): number => (100 * count) / wanted.length;
  const { uncapped, words } = await compare(hooklineDb, path, wanted);
  const of = (key: "ms" | "cpuMs" | "plainMs", kind?: string): number[] =>
    times.filter((time) => kind === undefined || time.kind === kind).map((time) => time[key]);
  const kinds = [...new Set(times.map((time) => time.kind))];
  return {
    size,
    all: {
      count: mix.length,
      p50: quantile(of("ms"), 0.5),
      p95: quantile(of("ms"), 0.95),
      most: Math.max(...of("ms")),
      cpuP50: quantile(of("cpuMs"), 0.5),
      cpuP95: quantile(of("cpuMs"), 0.95),
    },
    plain: { p50: quantile(of("plainMs"), 0.5), p95: quantile(of("plainMs"), 0.95) },
    classes: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        {
          p50: quantile(of("ms", kind), 0.5),
          p95: quantile(of("ms", kind), 0.95),
          plainP50: quantile(of("plainMs", kind), 0.5),
          plainP95: quantile(of("plainMs", kind), 0.95),
        },
      ]),
    ),
    recall: {
      capped: share(capped),
      words: share(words),
      uncapped: share(uncapped),
      plain: share(plainFound),
    },
    bytes: statSync(path).size,
    plainBytes: statSync(join(folder, "plain.db")).size,
    sourceBytes: statSync(hooklineDb).size,
    rssBytes,
    firstMs,
  };
}

/** The mix the budgets apply to, in equal shares: see docs/decisions/0015-search-index.md. */
function queryMix(size: number): BenchQuery[] {
  const random = createSeededRandom(99);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const kinds = ["name", "error", "paraphrase", "korean"] as const;
  const planted = kinds.flatMap((kind) =>
    PLANTED.flatMap(({ questions }, index): BenchQuery[] => {
      const query = questions[kind];
      return query === undefined ? [] : [{ kind, query, filters: {}, wanted: plantedId(index, size) }];
    }),
  );
  const some = (count: number, from: readonly string[]): string =>
    Array.from({ length: count }, () => pick(from)).join(" ");
  const frequent = VOCABULARY.slice(0, 15);
  const usual = VOCABULARY.slice(0, 600);
  const asked: BenchQuery[] = [...planted];
  for (let at = 0; at < EACH; at++) {
    const item = historyItem(Math.floor(random() * size), size);
    const sentence = item.content.narrative ?? "";
    asked.push({ kind: "frequent words", query: some(2 + (at % 3), frequent), filters: {}, wanted: null });
    asked.push({ kind: "usual words", query: some(3 + (at % 4), usual), filters: {}, wanted: null });
    asked.push({
      kind: "a sentence",
      query: sentence.split(" ").slice(0, 12).join(" "),
      filters: {},
      wanted: null,
    });
    asked.push({ kind: "filtered", query: some(3, usual), filters: filterOf(item, at), wanted: null });
    if (at % 3 === 0)
      asked.push({ kind: "korean", query: "데이터베이스 연결 오류", filters: {}, wanted: null });
  }
  return asked;
}

function filterOf(item: ReturnType<typeof historyItem>, at: number): SearchFilters {
  const since = new Date(item.createdMs).toISOString();
  return [
    { project: item.project },
    { project: item.project, type: item.content.type },
    { file: item.content.filesRead[0]! },
    { sinceIso: since },
    { session: item.session },
    { success: false, tool: "Bash" },
  ][at % 6]!;
}

function openPlain(path: string): { search(query: string): number[] } {
  const db = new DatabaseSync(path, { readOnly: true });
  const select = db.prepare("SELECT rowid AS id FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10");
  return {
    search(query) {
      const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
      return select.all(words.map((word) => `"${word}"`).join(" OR ")).map((row) => row["id"] as number);
    },
  };
}

/** Runs the same queries without the cap, and with words only. */
async function compare(
  hooklineDb: string,
  path: string,
  wanted: readonly BenchQuery[],
): Promise<{ readonly uncapped: number; readonly words: number }> {
  const index = openLocalIndex({
    source: openItemChanges(hooklineDb),
    path,
    embedder: openEmbedder(EMBEDDER),
  });
  await index.settle();
  let [uncapped, words] = [0, 0];
  for (const { query, filters, wanted: id } of wanted) {
    const request = { query, filters, limit: 10, nowMs: NOW_MS };
    const whole = await index.search(request, { isUncapped: true });
    const alone = await index.search({ ...request, methods: "full_text" });
    if (whole.hits.some((hit) => hit.id === id)) uncapped++;
    if (alone.hits.some((hit) => hit.id === id)) words++;
  }
  await index.close();
  return { uncapped, words };
}

/** CPU time covers all threads of this process, but not the embedder. */
async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly ms: number; readonly cpuMs: number }> {
  const [startedMs, used] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  return { result, ms: performance.now() - startedMs, cpuMs: (user + system) / 1000 };
}
