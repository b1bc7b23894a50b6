// Measures the budgets of the design in one run: `npm run bench [-- --json] [-- --quick] [-- --only
// hook,claude]`. docs/bench.md explains the figures and lists those of our machine.

import { availableParallelism, loadavg, platform } from "node:os";
import { parseArgs } from "node:util";
import { benchAsk } from "./bench/ask.ts";
import { benchBacklog } from "./bench/backlog.ts";
import { removeBenchHomes } from "./bench/bench-home.ts";
import { benchClaude } from "./bench/claude-cost.ts";
import { benchDriven } from "./bench/driven.ts";
import { createFilledHomes } from "./bench/filled-homes.ts";
import { benchGuard } from "./bench/guard.ts";
import { benchHook } from "./bench/hook-cost.ts";
import { benchImport } from "./bench/import.ts";
import { benchKill } from "./bench/kill.ts";
import { benchLatency } from "./bench/latency.ts";
import { benchLive } from "./bench/live-sessions.ts";
import { benchMemoryLoad } from "./bench/memory-load.ts";
import { benchPages } from "./bench/pages.ts";
import { benchReplay } from "./bench/replay.ts";
import { type Row, toTable } from "./bench/report.ts";
import { benchSoak } from "./bench/soak.ts";
import { benchStart } from "./bench/start.ts";
import { benchThroughput } from "./bench/throughput.ts";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    /** Folder that caches filled memories for the next run. */
    history: { type: "string" },
    /** Duration of the soak, in seconds. */
    soak: { type: "string", default: "900" },
  },
});
const { quick } = options;
const filled = createFilledHomes(options.history);

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  hook: () => benchHook(quick ? 60 : 200),
  claude: () => benchClaude(quick ? 7 : 25),
  latency: () => benchLatency(quick ? 100 : 200),
  throughput: () => benchThroughput(20_000, quick ? 1 : 3),
  kill: () => benchKill(5),
  start: () => benchStart(quick ? 7 : 15),
  soak: () => benchSoak(quick ? 180 : Number(options.soak)),
  backlog: () => benchBacklog(quick ? 20_000 : 100_000),
  import: () => benchImport(quick ? 200_000 : 1_000_000),
  live: () => benchLive(1_000, quick ? 10 : 60),
  replay: () => benchReplay(quick ? 100_000 : 1_000_000),
  ask: async () => [
    ...(await benchGuard(quick ? 40 : 200, quick ? 10 : 30)),
    ...(await benchAsk(filled, quick ? [10_000] : [10_000, 100_000], {
      rounds: quick ? 40 : 200,
      starts: quick ? 3 : 9,
    })),
  ],
  driven: () => benchDriven(quick ? 3 : 7, quick ? 5 : 20),
  pages: () =>
    benchPages({
      sessions: quick ? 1_000 : 10_000,
      longEvents: quick ? 2_000 : 20_000,
      rounds: quick ? 1 : 3,
    }),
  "memory-load": () =>
    benchMemoryLoad(filled, {
      toolUses: quick ? 300 : 2_000,
      items: quick ? 10_000 : 100_000,
      starts: quick ? 3 : 9,
    }),
};

async function run(): Promise<boolean> {
  const wanted = options.only?.split(",") ?? Object.keys(parts);
  const unknown = wanted.filter((name) => parts[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`there is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`);
  const loadBefore = loadavg()[0]!;
  const startedAt = performance.now();
  const rows: Row[] = [];
  for (const name of wanted) {
    process.stderr.write(`bench: ${name}\n`);
    rows.push(...(await parts[name]!().catch((error: unknown) => [unfinished(name, error)])));
  }
  const machine = {
    cpus: availableParallelism(),
    platform: platform(),
    node: process.version,
    loadBefore,
    loadAfter: loadavg()[0]!,
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    quick,
  };
  const failed = rows.filter((row) => row.ok === false).length;
  if (options.json) process.stdout.write(`${JSON.stringify({ machine, failed, rows }, null, 2)}\n`);
  else process.stdout.write(`${toTable(rows)}\n\n${describe(machine, failed)}\n`);
  return failed === 0;
}

/** A part that throws counts as a missed budget; the other parts still run. */
function unfinished(name: string, error: unknown): Row {
  process.stderr.write(`bench: ${name}: ${error instanceof Error ? error.stack : String(error)}\n`);
  const measured = error instanceof Error ? error.message : String(error);
  return {
    row: name,
    what: "did not finish",
    measured,
    comparedWith: "",
    budget: "",
    ok: false,
    figures: {},
  };
}

function describe(
  machine: { [key: string]: unknown; loadBefore: number; loadAfter: number },
  failed: number,
): string {
  const { cpus, platform: system, node, loadBefore, loadAfter, seconds } = machine;
  const load = `load ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after (the bench itself counts)`;
  const verdict = failed === 0 ? "Every budget holds." : `${failed} budget(s) FAIL.`;
  return `${verdict} ${cpus} CPUs, ${system}, Node ${node}, ${load}, ${seconds} s${quick ? ", quick" : ""}.`;
}

process.on("exit", removeBenchHomes);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const code = await run().then(
  (ok) => (ok ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  },
);
// A part that threw may have left a daemon running, which would keep this process alive.
process.exit(code);
