// Tool call latency: the guard's hook as Claude Code runs it, alone and ten concurrently with a megabyte
// among them, and how long the slowest known inputs take to judge.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { claude } from "../../src/agents/claude/claude.ts";
import { realWorld } from "../../src/control/real-world.ts";
import { guardCommand } from "../../src/hook/guard-command.ts";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { LONG_INPUTS } from "../../test/policy/long-inputs.ts";
import { type BenchHome, createBenchHome, spawnDaemon } from "./bench-home.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, paired, quantile } from "./statistics.ts";
import { untilAnswers } from "./until-answers.ts";

const guardArgv = ["/bin/sh", "-c", guardCommand(claude, { failClosed: false })] as const;
const bareArgv = ["/bin/sh", "-c", ":"] as const;
const SESSIONS = 10;
const MEGABYTE = `ls ${"a/".repeat(500_000)}; rm -rf ~`;
/** One of each kind: no opinion, denied, asked about, judged by the worker thread. */
const COMMANDS = [
  "ls -la src",
  "git status && git diff --stat",
  "npm test -- --run src/a.test.ts 2>&1 | tail -50",
  "rm -rf ~",
  "cat .env",
  `cat > notes.md <<'E'\n${"A line of text, with `code` and (brackets).\n".repeat(100)}E`,
];

export async function benchGuard(rounds: number, bursts: number): Promise<Row[]> {
  const place = createBenchHome();
  writeFileSync(place.home.configFile, JSON.stringify({ guard: { on: true }, memory: { embedder: null } }));
  writeFileSync(join(place.home.dir, "launch"), "#!/bin/sh\n");
  mkdirSync(join(place.root, "shop"));
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  await sleep(1_000);
  const before = daemon.rssMb().now;
  const alone = await askAlone(place, rounds);
  const burst = await askConcurrently(place, bursts);
  const after = daemon.rssMb().now;
  await daemon.stop();
  place.remove();
  return [
    alone,
    { ...burst, comparedWith: `${burst.comparedWith}; daemon ${mb(before)} before, ${mb(after)} after` },
    judgingRow(),
  ];
}

async function askAlone(place: BenchHome, rounds: number): Promise<Row> {
  const spawner = openSpawner(place, { mayTalk: true });
  const [hook, bare]: [number[], number[]] = [[], []];
  for (let round = -5; round < rounds; round++) {
    const payload = payloadOf(place, Math.abs(round), COMMANDS[Math.abs(round) % COMMANDS.length]!);
    const [asked, without] = [await spawner.time(guardArgv, payload), await spawner.time(bareArgv, payload)];
    if (round >= 0) {
      hook.push(asked);
      bare.push(without);
    }
    await sleep(20);
  }
  spawner.close();
  const added = paired(hook, bare, (asked, without) => asked - without);
  return toRow("guard, one call at a time", added, `sh -c : ${ms(median(bare))}; n = ${added.length}`, {
    p95: 60,
  });
}

/** Each burst is ten sessions started simultaneously, one of which asks about a megabyte. */
async function askConcurrently(place: BenchHome, bursts: number): Promise<Row> {
  const durationsMs: number[] = [];
  let missing = 0;
  for (let burst = -1; burst < bursts; burst++) {
    const answers = await Promise.all(
      Array.from({ length: SESSIONS }, (_, n) =>
        runHook(place, n, n === burst % SESSIONS ? MEGABYTE : COMMANDS[n % COMMANDS.length]!),
      ),
    );
    await sleep(200);
    if (burst < 0) continue;
    durationsMs.push(...answers.map(({ tookMs }) => tookMs));
    missing += answers.filter(({ output }) => output.includes("the guard is off")).length;
  }
  const what = "guard, ten at once with 1 MB among them";
  const row = toRow(what, durationsMs, `${missing} missing; n = ${durationsMs.length}`, { p95: null });
  const figures = { ...row.figures, missing };
  return { ...row, figures, ok: row.ok === true && missing === 0, budget: `${row.budget}, none missing` };
}

function runHook(place: BenchHome, n: number, command: string): Promise<{ tookMs: number; output: string }> {
  const startedAt = performance.now();
  const env = { ...place.env, CLAUDE_CODE_SESSION_ID: `guard-${n}` };
  const child = spawn(guardArgv[0], guardArgv.slice(1), { env, cwd: place.root });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.on("error", () => undefined).end(payloadOf(place, n, command));
  return new Promise((resolve) => {
    child.on("close", () => resolve({ tookMs: performance.now() - startedAt, output }));
  });
}

function payloadOf(place: BenchHome, n: number, command: string): string {
  return `${JSON.stringify({
    session_id: `guard-${n % SESSIONS}`,
    hook_event_name: "PreToolUse",
    cwd: join(place.root, "shop"),
    permission_mode: "bypassPermissions",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `toolu_guard${n}`,
  })}\n`;
}

/** CPU time, which other load hardly affects: the first run compiles, then the minimum of three. */
function judgingRow(): Row {
  const world = realWorld({ HOME: "/home/bench" });
  const times = LONG_INPUTS.flatMap(({ toolName, input: toolInput }) =>
    ["default", "bypassPermissions"].map((mode) => {
      const request = { toolName, toolInput, mode, cwd: "/tmp" };
      decide(EMPTY_POLICY, request, world);
      const durationsMs = Array.from({ length: 3 }, () => {
        const from = process.cpuUsage();
        decide(EMPTY_POLICY, request, world);
        const { user, system } = process.cpuUsage(from);
        return (user + system) / 1_000;
      });
      return Math.min(...durationsMs);
    }),
  );
  const [p50, p95, maxMs] = [median(times), quantile(times, 0.95), Math.max(...times)];
  return {
    row: "ask",
    what: `judging, ${LONG_INPUTS.length} long or slow inputs`,
    measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(maxMs)}`,
    comparedWith: `CPU time; n = ${times.length}`,
    budget: "most ≤ 50 ms",
    ok: maxMs <= 50,
    figures: rounded({ p50Ms: p50, p95Ms: p95, mostMs: maxMs, count: times.length }),
  };
}

function toRow(
  what: string,
  durationsMs: readonly number[],
  comparedWith: string,
  budget: { readonly p95: number | null },
): Row {
  const [p50, p95, maxMs] = [median(durationsMs), quantile(durationsMs, 0.95), Math.max(...durationsMs)];
  return {
    row: "ask",
    what,
    measured: `p50 ${ms(p50)}, p95 ${ms(p95)}, most ${ms(maxMs)}`,
    comparedWith,
    budget: `${budget.p95 === null ? "" : `p95 ≤ ${budget.p95} ms, `}most ≤ 300 ms`,
    ok: maxMs <= 300 && (budget.p95 === null || p95 <= budget.p95),
    figures: rounded({ p50Ms: p50, p95Ms: p95, mostMs: maxMs, count: durationsMs.length }),
  };
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}
