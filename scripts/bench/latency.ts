// Row 3: from the moment an agent fires a hook until a reader of the database sees the event.

import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { recordWords } from "./fire-hook.ts";
import { payloadOf } from "./payloads.ts";
import { makePlace, spawnDaemon } from "./place.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, quantile } from "./statistics.ts";
import { watchRows } from "./watch-rows.ts";

export async function benchLatency(count: number): Promise<Row[]> {
  const place = makePlace();
  const daemon = spawnDaemon(place);
  await daemon.untilHealthy();
  const rows = watchRows(place);
  const spawner = openSpawner(place);
  const [seen, hooks, syncs]: [number[], number[], number[]] = [[], [], []];
  const bare = openSync(join(place.root, "bare.jsonl"), "a");
  for (let n = -5; n < count; n++) {
    const toolUseId = `toolu_latency${n}`;
    const payload = payloadOf("PreToolUse.Bash", { tool_use_id: toolUseId }, 2_000, n + 5);
    const startedAt = performance.now();
    const hook = await spawner.time(recordWords, payload);
    await rows.untilStarted(toolUseId);
    const took = performance.now() - startedAt;
    // Not in step with anything of the daemon's.
    await sleep(10 + (Math.abs(n) % 7) * 5);
    const sync = timeSync(bare, payload);
    if (n < 0) continue;
    seen.push(took);
    hooks.push(hook);
    syncs.push(sync);
    await sleep(10);
  }
  closeSync(bare);
  spawner.close();
  rows.close();
  await daemon.stop();
  place.remove();

  const [p50, p95] = [median(seen), quantile(seen, 0.95)];
  return [
    {
      row: "3",
      what: "event → in the database (no SSE yet)",
      measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(Math.max(...seen))}`,
      comparedWith: `the hook alone ${ms(median(hooks))}, one append + fdatasync ${ms(median(syncs))}; n = ${count}`,
      budget: "p50 ≤ 50 ms, p95 ≤ 250 ms",
      ok: p50 <= 50 && p95 <= 250,
      figures: rounded({
        p50Ms: p50,
        p95Ms: p95,
        mostMs: Math.max(...seen),
        hookMedianMs: median(hooks),
        syncMedianMs: median(syncs),
        syncP95Ms: quantile(syncs, 0.95),
        count,
      }),
    },
  ];
}

function timeSync(fd: number, line: string): number {
  const startedAt = performance.now();
  writeSync(fd, line);
  fdatasyncSync(fd);
  return performance.now() - startedAt;
}
