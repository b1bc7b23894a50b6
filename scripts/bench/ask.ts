// Prompt latency: the ask hook as Claude Code runs it, against a daemon with a full memory.

import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { askCommand } from "../../src/hook/ask-command.ts";
import { type BenchHome, spawnDaemon } from "./bench-home.ts";
import { createSeededRandom, historyItem } from "./coding-history.ts";
import type { FilledHomes } from "./filled-homes.ts";
import { PLANTED } from "./planted-items.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner, type Spawner } from "./spawner.ts";
import { median, paired, quantile } from "./statistics.ts";
import { untilAnswers } from "./until-answers.ts";

interface Times {
  /** `sh -c :` with the same input, measured alongside. */
  readonly bare: number[];
  readonly hook: number[];
  /** The route alone, without shell and curl. */
  readonly route: number[];
  answered: number;
}

const askArgv = ["/bin/sh", "-c", askCommand("prompt")] as const;
const bareArgv = ["/bin/sh", "-c", ":"] as const;
/** The largest project of the history, a medium one and a small one. */
const PROJECTS = [0, 12, 55];
const SESSIONS = 20;

export async function benchAsk(
  filled: FilledHomes,
  sizes: readonly number[],
  { rounds, starts }: { readonly rounds: number; readonly starts: number },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizes) {
    const home = filled(size);
    const spawner = openSpawner(home, { mayTalk: true });
    const setup = { home, spawner, size };
    const warm = await askWarm(setup, rounds);
    const items = `${(size / 1_000).toFixed(0)}k items`;
    rows.push(toRow(`prompt ask, ${items}, embedder warm`, warm, { p95: 60, maxMs: 300 }));
    const resting = await askAfterStart(setup, starts, 2_000);
    rows.push(toRow(`prompt ask, ${items}, embedder cold`, resting, { p95: null, maxMs: 300 }));
    const early = await askAfterStart(setup, starts, 0);
    rows.push(toRow(`prompt ask, ${items}, daemon just started`, early, { p95: null, maxMs: 300 }));
    spawner.close();
    home.remove();
  }
  return rows;
}

interface AskSetup {
  readonly home: BenchHome;
  readonly spawner: Spawner;
  readonly size: number;
}

async function askWarm({ home, spawner, size }: AskSetup, rounds: number): Promise<Times> {
  const daemon = spawnDaemon(home);
  await untilFused(home);
  const times: Times = { bare: [], hook: [], route: [], answered: 0 };
  for (let round = -10; round < rounds; round++) {
    const [first, second] = [round, round + rounds + 10].map((n) => payloadOf(n, size)) as [string, string];
    const acts = [
      async () => ["bare", await spawner.time(bareArgv, first)] as const,
      async () => ["hook", await spawner.time(askArgv, first)] as const,
      async () => {
        const { durationMs, text } = await askRoute(home, second);
        if (round >= 0 && text !== "") times.answered++;
        return ["route", durationMs] as const;
      },
    ];
    for (let n = 0; n < acts.length; n++) {
      const [what, took] = await acts[(Math.abs(round) + n) % acts.length]!();
      // The injection is still being recorded.
      await sleep(30);
      if (round >= 0) times[what].push(took);
    }
  }
  await daemon.stop();
  return times;
}

/** Times the first prompt sent to a daemon this long after it is up. */
async function askAfterStart(
  { home, spawner, size }: AskSetup,
  starts: number,
  waitMs: number,
): Promise<Times> {
  const times: Times = { bare: [], hook: [], route: [], answered: 0 };
  for (let n = 0; n < starts; n++) {
    const payload = payloadOf(10_000 + n, size);
    const daemon = spawnDaemon(home);
    if (waitMs === 0) await daemon.untilHealthy();
    else await untilAnswers(home, "/api/memory");
    await sleep(waitMs);
    times.hook.push(await spawner.time(askArgv, payload));
    times.bare.push(await spawner.time(bareArgv, payload));
    await daemon.stop();
  }
  return times;
}

/** Cycles through the kinds: a question in plain words, a name with its problem, a pasted log. */
function payloadOf(n: number, size: number): string {
  const random = createSeededRandom(n + 4_711);
  const { content, output, project } = itemIn(PROJECTS[Math.abs(n) % PROJECTS.length]!, size, random);
  const planted = PLANTED[Math.floor(random() * PLANTED.length)]!.questions;
  const prompts = [
    `${planted.paraphrase ?? planted.korean ?? planted.error ?? planted.name}, please look into it`,
    `${content.title}: ${content.facts.at(-1)} what did we do about it last time?`,
    `this fails again, fix it:\n${`${output}\n`.repeat(6)}`,
  ];
  return `${JSON.stringify({
    session_id: `ask-session-${Math.abs(n) % SESSIONS}`,
    transcript_path: `${project}/none.jsonl`,
    cwd: project,
    prompt_id: `ask-prompt-${n}`,
    permission_mode: "default",
    hook_event_name: "UserPromptSubmit",
    prompt: prompts[Math.abs(n) % prompts.length],
  })}\n`;
}

function itemIn(project: number, size: number, random: () => number): ReturnType<typeof historyItem> {
  for (;;) {
    const item = historyItem(Math.floor(random() * size), size);
    if (item.project.endsWith(`-${project}`)) return item;
  }
}

async function untilFused(home: BenchHome): Promise<void> {
  await untilAnswers(home, "/api/memory");
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(50)) {
    const { text } = await ask(home, "GET", "/api/search?q=checkout+discount");
    if ((JSON.parse(text) as { mode?: string }).mode === "fused") return;
  }
  throw new Error("no search has used vectors after 60 s");
}

async function askRoute(home: BenchHome, payload: string): Promise<{ durationMs: number; text: string }> {
  const startedAt = performance.now();
  const { status, text } = await ask(home, "POST", "/api/ask/prompt", payload);
  const durationMs = performance.now() - startedAt;
  if (status !== 200 && status !== 204) throw new Error(`/api/ask/prompt answered ${status}: ${text}`);
  return { durationMs, text };
}

function ask(
  home: BenchHome,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const call = request({ socketPath: home.home.sock, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    call.on("error", reject).end(body);
  });
}

function toRow(what: string, times: Times, budget: { p95: number | null; maxMs: number }): Row {
  const added = paired(times.hook, times.bare, (hook, bare) => hook - bare);
  const [p50, p95, maxMs] = [median(added), quantile(added, 0.95), Math.max(...added)];
  const { route, answered } = times;
  const alone =
    route.length === 0
      ? ""
      : `, the route alone p50 ${ms(median(route))}, p95 ${ms(quantile(route, 0.95))}, ${answered} of ${route.length} given something`;
  return {
    row: "ask",
    what,
    measured: `p50 +${ms(p50)}, p95 +${ms(p95)}, most +${ms(maxMs)}`,
    comparedWith: `sh -c : ${ms(median(times.bare))}${alone}; n = ${added.length}`,
    budget: `${budget.p95 === null ? "" : `p95 ≤ ${budget.p95} ms, `}most ≤ ${budget.maxMs} ms`,
    ok: maxMs <= budget.maxMs && (budget.p95 === null || p95 <= budget.p95),
    figures: rounded({
      p50Ms: p50,
      p95Ms: p95,
      mostMs: maxMs,
      shMedianMs: median(times.bare),
      hookMedianMs: median(times.hook),
      ...(route.length > 0 && {
        routeP50Ms: median(route),
        routeP95Ms: quantile(route, 0.95),
        routeMostMs: Math.max(...route),
        answered,
      }),
      count: added.length,
    }),
  };
}
