// Driven sessions: how soon one answers, how soon it stops, and how much memory twenty of them use.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runClaude } from "../../test/support/claude.ts";
import { type AttachedClient, openSteering, type Steering } from "../../test/support/control.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median, paired, quantile } from "./statistics.ts";

export async function benchDriven(rounds: number, sessions: number): Promise<Row[]> {
  const steering = await openSteering(({ lastUserText }) =>
    lastUserText.includes("slowly") ? { text: "late", delayMs: 30_000 } : { text: "ok" },
  );
  try {
    const idleMb = rssMb(steering.daemon.pid);
    return [...(await turns(steering, rounds)), await many(steering, sessions, idleMb)];
  } finally {
    await steering.close();
  }
}

async function turns(steering: Steering, rounds: number): Promise<Row[]> {
  const [bare, first, second, stop]: number[][] = [[], [], [], []];
  for (let round = -1; round < rounds; round++) {
    const bareMs = await timed(() => runClaude(steering.scratch, { prompt: "hello", api: steering.api }));
    let client: AttachedClient | null = null;
    let sessionId = "";
    const firstMs = await timed(async () => {
      ({ sessionId } = await steering.start({ prompt: "hello" }));
      client = await steering.attach(sessionId);
      await client.until(({ type }) => type === "result");
    });
    const secondMs = await timed(async () => {
      await send(steering, sessionId, "again");
      await client!.until(() => client!.envelopes.filter(({ type }) => type === "result").length === 2);
    });
    await send(steering, sessionId, "slowly");
    await sleep(300);
    const stopMs = await timed(async () => {
      await steering.ask("POST", `/api/control/sessions/${sessionId}/stop`, {});
      await client!.until((one) => one.type === "result" && one.outcome === "interrupted");
    });
    await steering.ask("POST", `/api/control/sessions/${sessionId}/close`, {});
    client!.close();
    if (round < 0) continue;
    for (const [list, value] of [
      [bare!, bareMs],
      [first!, firstMs],
      [second!, secondMs],
      [stop!, stopMs],
    ] as const)
      list.push(value);
  }
  const ratio = median(paired(first!, bare!, (a, b) => a / b));
  return [
    {
      row: "driven",
      what: "start → the first turn's result",
      measured: `${ms(median(first!))} = × ${ratio.toFixed(2)}`,
      comparedWith: `\`claude -p\` ${ms(median(bare!))}, ${rounds} pairs`,
      budget: "none",
      ok: null,
      figures: rounded({ first: median(first!), bare: median(bare!), ratio }),
    },
    {
      row: "driven",
      what: "send → result, same process",
      measured: ms(median(second!)),
      comparedWith: `the first turn ${ms(median(first!))}`,
      budget: "none",
      ok: null,
      figures: rounded({ second: median(second!) }),
    },
    {
      row: "driven",
      what: "stop → interrupted",
      measured: `median ${ms(median(stop!))}, most ${ms(Math.max(...stop!))}`,
      comparedWith: "a model that would answer after 30 s",
      budget: "≤ 300 ms",
      ok: median(stop!) <= 300,
      figures: rounded({ stop: median(stop!), stopMost: Math.max(...stop!) }),
    },
  ];
}

async function many(steering: Steering, count: number, idleMb: number): Promise<Row> {
  const startedAt = performance.now();
  const durationsMs: number[] = [];
  const pids: number[] = [];
  await Promise.all(
    Array.from({ length: count }, async () => {
      const { sessionId } = await steering.start({ prompt: "hello" });
      const client = await steering.attach(sessionId);
      await client.until(({ type }) => type === "result", 240_000);
      durationsMs.push(performance.now() - startedAt);
      client.close();
      const { body } = await steering.ask<{ pid: number }>("GET", `/api/control/sessions/${sessionId}`);
      pids.push(body.pid);
    }),
  );
  await sleep(2_000);
  const daemonMb = rssMb(steering.daemon.pid);
  const privates = pids.map(privateMb);
  const each = privates.reduce((sum, value) => sum + value, 0) / count;
  return {
    row: "driven",
    what: `${count} sessions at once, one turn each`,
    measured: `all answered after ${(Math.max(...durationsMs) / 1_000).toFixed(1)} s (p50 ${(quantile(durationsMs, 0.5) / 1_000).toFixed(1)} s); daemon ${daemonMb.toFixed(0)} MB, each claude ${each.toFixed(0)} MB of its own`,
    comparedWith: `the daemon before any: ${idleMb.toFixed(0)} MB`,
    budget: "none",
    ok: null,
    figures: rounded({ allMs: Math.max(...durationsMs), daemonMb, idleMb, eachMb: each }),
  };
}

async function send(steering: Steering, sessionId: string, text: string): Promise<void> {
  const { status, body } = await steering.ask("POST", `/api/control/sessions/${sessionId}/send`, { text });
  if (status !== 200) throw new Error(`send: ${status} ${JSON.stringify(body)}`);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await act();
  return performance.now() - begunAt;
}

function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1_024;
}

/** Only memory that no other process shares: twenty run the same binary. */
function privateMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return (
    [...rollup.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce((sum, match) => sum + Number(match[1]), 0) / 1_024
  );
}
