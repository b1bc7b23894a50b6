// Row 3: from the moment an agent fires a hook until a reader of the database sees the event, and until a
// stream client receives it.

import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createBenchHome, spawnDaemon } from "./bench-home.ts";
import { recordArgv } from "./fire-hook.ts";
import { payloadOf } from "./payloads.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, quantile } from "./statistics.ts";
import { openStreamClient } from "./stream-client.ts";
import { untilAnswers } from "./until-answers.ts";
import { watchRows } from "./watch-rows.ts";

/** In rotation: the limit of five patches a second per session must not affect the figures. */
const SESSIONS = 50;
const TIMEOUT_MS = 20_000;

export async function benchLatency(count: number): Promise<Row[]> {
  const place = createBenchHome();
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  const rows = watchRows(place);
  const spawner = openSpawner(place);
  const arrivals = new Map<string, number>();
  const client = await openStreamClient(place, ({ set }, atMs) => {
    const toolUseId = set.action?.toolUseId;
    if (toolUseId != null && !arrivals.has(toolUseId)) arrivals.set(toolUseId, atMs);
  });
  const untilArrived = async (toolUseId: string): Promise<number> => {
    for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await sleep(1)) {
      const atMs = arrivals.get(toolUseId);
      if (atMs !== undefined) return atMs;
    }
    throw new Error(`the patch of ${toolUseId} is not on the stream after ${TIMEOUT_MS / 1_000} s`);
  };

  const [seen, streamed, hooks, syncs]: [number[], number[], number[], number[]] = [[], [], [], []];
  const bare = openSync(join(place.root, "bare.jsonl"), "a");
  for (let n = -5; n < count; n++) {
    const toolUseId = `toolu_latency${n}`;
    const session = (n + 5) % SESSIONS;
    const ids = { session_id: `latency-${session}`, prompt_id: `latency-prompt-${session}` };
    const payload = payloadOf("PreToolUse.Bash", { ...ids, tool_use_id: toolUseId }, 2_000, n + 5);
    const startedAt = performance.now();
    const hook = await spawner.time(recordArgv, payload);
    await rows.untilStarted(toolUseId);
    const took = performance.now() - startedAt;
    const reached = (await untilArrived(toolUseId)) - startedAt;
    // Stay out of step with the daemon's timers.
    await sleep(10 + (Math.abs(n) % 7) * 5);
    const sync = timeSync(bare, payload);
    if (n < 0) continue;
    seen.push(took);
    streamed.push(reached);
    hooks.push(hook);
    syncs.push(sync);
    await sleep(10);
  }
  closeSync(bare);
  client.close();
  spawner.close();
  rows.close();
  await daemon.stop();
  place.remove();

  const alone = `the hook alone ${ms(median(hooks))}`;
  return [
    toRow("event → in the database", seen, `${alone}, one append + fdatasync ${ms(median(syncs))}`, {
      hookMedianMs: median(hooks),
      syncMedianMs: median(syncs),
      syncP95Ms: quantile(syncs, 0.95),
    }),
    toRow("event → on the stream", streamed, `${alone}, in the database ${ms(median(seen))}`, {
      hookMedianMs: median(hooks),
      databaseP50Ms: median(seen),
      sessions: SESSIONS,
    }),
  ];
}

function toRow(
  what: string,
  took: readonly number[],
  comparedWith: string,
  figures: Readonly<Record<string, number>>,
): Row {
  const [p50, p95, most] = [median(took), quantile(took, 0.95), Math.max(...took)];
  return {
    row: "3",
    what,
    measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(most)}`,
    comparedWith: `${comparedWith}; n = ${took.length}`,
    budget: "p50 ≤ 50 ms, p95 ≤ 250 ms",
    ok: p50 <= 50 && p95 <= 250,
    figures: rounded({ p50Ms: p50, p95Ms: p95, mostMs: most, ...figures, count: took.length }),
  };
}

function timeSync(fd: number, line: string): number {
  const startedAt = performance.now();
  writeSync(fd, line);
  fdatasyncSync(fd);
  return performance.now() - startedAt;
}
