// Row 2: a complete `claude -p` with one tool call, with and without our hooks.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createScratch, runClaude, type Scratch } from "../../test/support/claude.ts";
import { type FakeApi, openFakeApi } from "../../test/support/fake-api.ts";
import { type BenchHome, benchHomeAt, runCli, spawnDaemon } from "./bench-home.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median, paired } from "./statistics.ts";

interface Side {
  readonly scratch: Scratch;
  readonly place: BenchHome;
  readonly took: number[];
}

export async function benchClaude(pairs: number): Promise<Row[]> {
  const call = { name: "Bash", input: { command: "echo hello", description: "Say hello" } };
  const api = await openFakeApi([{ tools: [call] }, { text: "Done." }]);
  const [none, up, down] = [await side(false), await side(true), await side(true)];
  const daemon = spawnDaemon(up.place);
  try {
    await daemon.untilHealthy();
    const sides = [none, up, down];
    for (let round = -1; round < pairs; round++) {
      // The first round warms the caches; each round starts with a different side.
      for (let n = 0; n < sides.length; n++) {
        const one = sides[(round + 1 + n) % sides.length]!;
        const took = await timeRun(one, api);
        if (round >= 0) one.took.push(took);
      }
    }
    checkRecorded(up, down, pairs + 1);
    return [toRow("daemon up", up, none), toRow("daemon down", down, none)];
  } finally {
    await daemon.stop();
    for (const { scratch } of [none, up, down]) await scratch.cleanup();
    await api.close();
  }
}

async function side(hasHooks: boolean): Promise<Side> {
  const scratch = await createScratch();
  const place = benchHomeAt(scratch.home, join(scratch.home, ".hookline"));
  mkdirSync(join(scratch.home, ".claude"), { recursive: true });
  if (hasHooks) runCli(place, "install");
  return { scratch, place, took: [] };
}

async function timeRun({ scratch, place }: Side, api: FakeApi): Promise<number> {
  const { HOOKLINE_HOME, HOOKLINE_PORT } = place.env as Record<string, string>;
  const startedAt = performance.now();
  const run = await runClaude(scratch, {
    prompt: "say hello",
    api,
    args: ["--permission-mode", "default", "--allowedTools", "Bash"],
    // Nothing to autostart where the daemon is up.
    env: { HOOKLINE_HOME: HOOKLINE_HOME!, HOOKLINE_PORT: HOOKLINE_PORT!, HOOKLINE_AUTOSTART: "0" },
  });
  const took = performance.now() - startedAt;
  if (run.code !== 0 || run.stdout.trim() !== "Done.")
    throw new Error(`claude ended with ${run.code}: ${run.stdout}${run.stderr}`);
  return took;
}

/** A comparison in which nothing was recorded proves nothing. */
function checkRecorded(up: Side, down: Side, runs: number): void {
  const db = up.place.openDatabase();
  const { n } = db
    .prepare("SELECT count(*) AS n FROM events WHERE event_type = 'tool_observation'")
    .get() as {
    n: number;
  };
  db.close();
  if (n !== runs) throw new Error(`${runs} calls were made with the daemon up, ${n} are in the database`);
  // At least: session start, prompt, before and after the call, its batch, stop, session end.
  if (down.place.spoolDepth() < runs * 7) throw new Error("with the daemon down the spool holds too little");
}

function toRow(what: string, hooked: Side, none: Side): Row {
  const moreMs = median(paired(hooked.took, none.took, (a, b) => a - b));
  const moreShare = median(paired(hooked.took, none.took, (a, b) => a / b - 1));
  const without = median(none.took);
  const pairs = none.took.length;
  return {
    row: "2",
    what: `claude -p with one call, ${what}`,
    measured: `+${ms(moreMs)}, +${(moreShare * 100).toFixed(1)} % (median ${ms(median(hooked.took))})`,
    comparedWith: `no hooks ${ms(without)}; ${pairs} pairs${pairs < 25 ? " (quick: not the 25 of the budget)" : ""}`,
    budget: "≤ 100 ms and ≤ 12 %",
    ok: moreMs <= 100 && moreShare <= 0.12,
    figures: rounded({
      moreMs,
      moreShare,
      medianMs: median(hooked.took),
      minMs: Math.min(...hooked.took),
      withoutMedianMs: without,
      withoutMinMs: Math.min(...none.took),
      pairs,
    }),
  };
}
