// Search at 10k, 100k and 1M observations: `npm run bench:search [-- --sizes 10k,100k] [-- --json] [-- --keep
// DIR]`. Exits with 1 when a budget is exceeded. Each size is filled and measured in its own process.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillHistory } from "./bench/fill-history.ts";
import { measureSearch, type SearchFigures } from "./bench/measure-search.ts";
import { type Row, toTable } from "./bench/report.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "10k,100k,1M" },
    json: { type: "boolean", default: false },
    keep: { type: "string" },
    phase: { type: "string" },
    folder: { type: "string" },
    size: { type: "string" },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  if (options.phase === "fill") await fillHistory(options.folder!, Number(options.size));
  if (options.phase === "measure")
    process.stdout.write(JSON.stringify(await measureSearch(options.folder!, Number(options.size))));
  if (options.phase !== undefined) return 0;
  const root = options.keep ?? mkdtempSync(join(tmpdir(), "hookline-search-"));
  try {
    const all = options.sizes.split(",").map((size) => measure(root, toNumber(size)));
    const rows = all.flatMap(judge);
    const load = { cores: availableParallelism(), load: loadavg()[0]! };
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ ...load, sizes: all, rows })}\n`
        : `${toTable(rows)}\n${byClass(all)}`,
    );
    return rows.some((row) => row.ok === false) ? 1 : 0;
  } finally {
    if (options.keep === undefined) rmSync(root, { recursive: true, force: true });
  }
}

function measure(root: string, size: number): SearchFigures {
  const folder = join(root, String(size));
  const run = (phase: string): string =>
    execFileSync(
      process.execPath,
      [import.meta.filename, "--phase", phase, "--folder", folder, "--size", String(size)],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 26 },
    );
  if (!existsSync(join(folder, "filled"))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    run("fill");
  }
  return JSON.parse(run("measure")) as SearchFigures;
}

/** DESIGN §13. */
function judge(figures: SearchFigures): Row[] {
  const { size, all, plain, recall } = figures;
  const row = String(size);
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  const budget = size > 100_000 ? { p50: null, p95: 250 } : { p50: 25, p95: 80 };
  const ofPlain = `plain FTS5 p50 ${ms(plain.p50)}, p95 ${ms(plain.p95)}`;
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  return [
    {
      row,
      what: `search, ${all.count} queries, embedder warm`,
      measured: `p50 ${ms(all.p50)}, p95 ${ms(all.p95)}, most ${ms(all.most)}; CPU ${ms(all.cpuP50)}, ${ms(all.cpuP95)}`,
      comparedWith: ofPlain,
      budget: `${budget.p50 === null ? "" : `p50 ≤ ${budget.p50}, `}p95 ≤ ${budget.p95} ms`,
      ok: all.p95 <= budget.p95 && (budget.p50 === null || all.p50 <= budget.p50),
      figures: { ...all },
    },
    {
      row,
      what: "R@10 of planted items",
      measured: `${recall.capped.toFixed(1)} (full text ${recall.words.toFixed(1)})`,
      comparedWith: `uncapped ${recall.uncapped.toFixed(1)}, plain FTS5 ${recall.plain.toFixed(1)}`,
      budget: "within 1 point of uncapped",
      ok: recall.capped >= recall.uncapped - 1,
      figures: { ...recall },
    },
    {
      row,
      what: "size of search.db",
      measured: mb(figures.bytes),
      comparedWith: `plain FTS5 ${mb(figures.plainBytes)}, hookline.db ${mb(figures.sourceBytes)}`,
      budget: "none",
      ok: null,
      figures: { bytes: figures.bytes, plainBytes: figures.plainBytes },
    },
    {
      row,
      what: "memory of the index's thread",
      measured: `+${mb(figures.rssBytes)} RSS`,
      comparedWith: `first search after ${ms(figures.firstMs)}`,
      budget: "none",
      ok: null,
      figures: { rssBytes: figures.rssBytes, firstMs: figures.firstMs },
    },
  ];
}

function byClass(all: readonly SearchFigures[]): string {
  return all
    .flatMap(({ size, classes }) =>
      Object.entries(classes).map(
        ([name, { p50, p95, plainP50, plainP95 }]) =>
          `${size} ${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms (plain ${plainP50.toFixed(1)}, ${plainP95.toFixed(1)})\n`,
      ),
    )
    .join("");
}

function toNumber(size: string): number {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(size) ?? [];
  return Number(digits) * (unit === "M" ? 1_000_000 : unit === "k" ? 1_000 : 1);
}
