// Row 1: one record hook while the daemon is idle.

import { setTimeout as sleep } from "node:timers/promises";
import { createBenchHome, spawnDaemon } from "./bench-home.ts";
import { recordArgv } from "./fire-hook.ts";
import { payloadOf } from "./payloads.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, paired } from "./statistics.ts";
import { watchRows } from "./watch-rows.ts";

export async function benchHook(rounds: number): Promise<Row[]> {
  const place = createBenchHome();
  const daemon = spawnDaemon(place);
  await daemon.untilHealthy();
  // Health answers while the daemon is still starting.
  const rows = await soon(() => watchRows(place));
  const spawner = openSpawner(place);
  const durationsMs = { sh: [], small: [], big: [], node: [] } as Record<
    "sh" | "small" | "big" | "node",
    number[]
  >;

  /** Fires, then waits until the daemon has processed the event and is idle again. */
  const record = async (toolUseId: string, sizeBytes: number): Promise<number> => {
    const name = "PreToolUse.Write";
    const taken = await spawner.time(recordArgv, payloadOf(name, { tool_use_id: toolUseId }, sizeBytes));
    await rows.untilStarted(toolUseId);
    await sleep(3);
    return taken;
  };
  const small = payloadOf("PreToolUse.Write", {}, 2_000);
  const acts = [
    async () => void durationsMs.sh.push(await spawner.time(["/bin/sh", "-c", ":"], small)),
    async (n: number) => void durationsMs.small.push(await record(`toolu_small${n}`, 2_000)),
    async (n: number) => void durationsMs.big.push(await record(`toolu_big${n}`, 600_000)),
    async () => void durationsMs.node.push(await spawner.time([process.execPath, "-e", "0"], small)),
  ];
  for (let round = -5; round < rounds; round++) {
    // The first rounds fill caches; each round starts with a different one of the four.
    for (let n = 0; n < acts.length; n++) await acts[(round + 5 + n) % acts.length]!(round);
    if (round < 0) for (const values of Object.values(durationsMs)) values.length = 0;
  }
  spawner.close();
  rows.close();
  await daemon.stop();
  place.remove();
  return toRows(durationsMs, rounds);
}

/** Retries until the database exists. */
async function soon<T>(open: () => T): Promise<T> {
  for (const until = performance.now() + 10_000; ; await sleep(10)) {
    try {
      return open();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}

function toRows(durationsMs: Record<"sh" | "small" | "big" | "node", number[]>, rounds: number): Row[] {
  const [sh, node] = [median(durationsMs.sh), median(durationsMs.node)];
  const fact = (what: "small" | "big", size: string, maxMs: number): Row => {
    const taken = median(durationsMs[what]);
    const ratio = taken / sh;
    const ratioOfPairs = median(paired(durationsMs[what], durationsMs.sh, (value, other) => value / other));
    const [min, shMin] = [Math.min(...durationsMs[what]), Math.min(...durationsMs.sh)];
    return {
      row: "1",
      what: `record hook, ${size}, daemon idle`,
      measured: `× ${ratio.toFixed(2)} (${ms(taken)}; min ${ms(min)} = × ${(min / shMin).toFixed(2)})`,
      comparedWith: `sh -c : ${ms(sh)}, min ${ms(shMin)}; ${rounds} rounds`,
      budget: `≤ × ${maxMs}`,
      ok: ratio <= maxMs,
      figures: rounded({
        ratio,
        ratioOfPairs,
        medianMs: taken,
        minMs: min,
        shMedianMs: sh,
        shMinMs: shMin,
        rounds,
      }),
    };
  };
  const taken = median(durationsMs.small);
  const share = taken / node;
  return [
    fact("small", "2 KB", 3),
    fact("big", "600 KB", 4),
    {
      row: "1",
      what: "record hook, 2 KB, beside Node",
      measured: `1/${(1 / share).toFixed(1)} (${ms(taken)})`,
      comparedWith: `node -e 0 ${ms(node)}, min ${ms(Math.min(...durationsMs.node))}; ${rounds} rounds`,
      budget: "≤ 1/8",
      ok: share <= 1 / 8,
      figures: rounded({
        share,
        medianMs: taken,
        nodeMedianMs: node,
        nodeMinMs: Math.min(...durationsMs.node),
        rounds,
      }),
    },
  ];
}
