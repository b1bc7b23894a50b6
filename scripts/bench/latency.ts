// Row 3: from the moment an agent fires a hook until a reader of the database sees the event, and until a client
// of the stream has it.

import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { untilAnswers } from "./answers.ts";
import { recordWords } from "./fire-hook.ts";
import { payloadOf } from "./payloads.ts";
import { makePlace, spawnDaemon } from "./place.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, quantile } from "./statistics.ts";
import { openStreamClient } from "./stream-client.ts";
import { watchRows } from "./watch-rows.ts";

/** In turn: one session gets at most five patches a second, and that limit is not what is to be measured. */
const SESSIONS = 50;
const PATIENCE_MS = 20_000;

export async function benchLatency(count: number): Promise<Row[]> {
  const place = makePlace();
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
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await sleep(1)) {
      const atMs = arrivals.get(toolUseId);
      if (atMs !== undefined) return atMs;
    }
    throw new Error(`the patch of ${toolUseId} is not on the stream after ${PATIENCE_MS / 1_000} s`);
  };

  const [seen, streamed, hooks, syncs]: [number[], number[], number[], number[]] = [[], [], [], []];
  const bare = openSync(join(place.root, "bare.jsonl"), "a");
  for (let n = -5; n < count; n++) {
    const toolUseId = `toolu_latency${n}`;
    const session = (n + 5) % SESSIONS;
    const ids = { session_id: `latency-${session}`, prompt_id: `latency-prompt-${session}` };
    const payload = payloadOf("PreToolUse.Bash", { ...ids, tool_use_id: toolUseId }, 2_000, n + 5);
    const startedAt = performance.now();
    const hook = await spawner.time(recordWords, payload);
    await rows.untilStarted(toolUseId);
    const took = performance.now() - startedAt;
    const reached = (await untilArrived(toolUseId)) - startedAt;
    // Not in step with anything of the daemon's.
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
