// Row 4: an idle daemon gets a full spool; measures until its last event is in the database, and the daemon's
// memory afterwards. The budgets were set where the bare trial took 0.05 ms of CPU per event and did 19,000 a
// second; on slower machines they apply as the same ratios to the bare trial of the same run.

import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchHome, createBenchHome, type RunningDaemon, spawnDaemon } from "./bench-home.ts";
import { payloadOf, type SpoolEntry, spoolEntries } from "./payloads.ts";
import { type Row, rounded } from "./report.ts";
import { median } from "./statistics.ts";
import { untilAnswers } from "./until-answers.ts";

interface Trial {
  readonly seconds: number;
  readonly cpuMs: number;
}

interface MemoryUse {
  readonly after: number;
  readonly peak: number;
  readonly idle: number;
}

const SESSIONS = 50;
const LAST_SESSION = "the-last-of-the-spool";

export async function benchThroughput(count: number, trials: number): Promise<Row[]> {
  const entries = spoolEntries(count, SESSIONS);
  const [ours, bare]: [Trial[], Trial[]] = [[], []];
  let weight: MemoryUse = { after: 0, peak: 0, idle: 0 };
  for (let trial = 0; trial < trials; trial++) {
    bare.push(await bareTrial(entries));
    const result = await daemonTrial(entries);
    ours.push(result.trial);
    weight = result.weight;
  }
  const bytes = entries.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  return toRows(ours, bare, count, bytes / count, weight);
}

async function daemonTrial(entries: readonly SpoolEntry[]): Promise<{ trial: Trial; weight: MemoryUse }> {
  const place = createBenchHome();
  const full = `${place.home.spool}.full`;
  mkdirSync(full, { mode: 0o700 });
  await fill(full, entries);
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  // The start has its own row.
  await sleep(1_000);
  const [startedAt, cpuBefore] = [performance.now(), daemon.cpuMs()];
  renameSync(place.home.spool, `${place.home.spool}.empty`);
  renameSync(full, place.home.spool);
  rmSync(`${place.home.spool}.empty`, { recursive: true });
  const flushed = flush(place);
  await untilLast(place);
  const trial = { seconds: (performance.now() - startedAt) / 1_000, cpuMs: daemon.cpuMs() - cpuBefore };
  await flushed;
  const weight = await measureMemory(daemon);
  checkAllStored(place, entries);
  await daemon.stop();
  place.remove();
  return { trial, weight };
}

async function bareTrial(entries: readonly SpoolEntry[]): Promise<Trial> {
  const place = createBenchHome();
  await fill(place.home.spool, entries);
  const startedAt = performance.now();
  const script = join(import.meta.dirname, "bare-trial.ts");
  const args = ["--disable-warning=ExperimentalWarning", script, place.home.spool, place.root];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let cpuMs = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    cpuMs += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  const seconds = (performance.now() - startedAt) / 1_000;
  if (code !== 0 || place.spoolDepth() > 0) throw new Error(`the bare trial ended with ${code}`);
  place.remove();
  return { seconds, cpuMs: Number(cpuMs) };
}

/** Names files as the hook does: the agent's pid, the shell's growing pid. The last file is born last. */
async function fill(spool: string, entries: readonly SpoolEntry[]): Promise<void> {
  for (const [index, { content }] of entries.entries()) {
    writeFileSync(join(spool, `${4_711 + (index % 5)}-${10_000 + index}-0`), content, {
      mode: 0o600,
    });
  }
  await sleep(20);
  const last = payloadOf("SessionEnd.other", { session_id: LAST_SESSION }, 0);
  writeFileSync(join(spool, `4711-${10_000 + entries.length}-0`), last, { mode: 0o600 });
}

/** Stands in for the kernel's notification, which a folder swapped in for another does not trigger. */
function flush(place: BenchHome): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: place.home.sock, path: "/api/flush", method: "POST", agent: false });
    call.on("error", reject).on("response", (response) => response.resume().on("end", resolve));
    call.end();
  });
}

/** Log and store preserve arrival order, so once the last event is there, all are. */
async function untilLast(place: BenchHome): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    if (performance.now() > until) throw new Error("the spool is not in the database after 120 s");
    await sleep(10);
    try {
      const db = place.openDatabase();
      const found = db.prepare("SELECT 1 FROM events WHERE session_id = ?").get(LAST_SESSION);
      db.close();
      if (found !== undefined) return;
    } catch {
      // The database or its tables do not exist yet.
    }
  }
}

async function measureMemory(daemon: RunningDaemon): Promise<MemoryUse> {
  const { now, peak } = daemon.rssMb();
  await sleep(5_000);
  return { after: now, peak, idle: daemon.rssMb().now };
}

/** Speed counts only if nothing is missing. */
function checkAllStored(place: BenchHome, entries: readonly SpoolEntry[]): void {
  const sent = (eventName: string): number => entries.filter((entry) => entry.eventName === eventName).length;
  const db = place.openDatabase();
  const stored = (where: string): number =>
    Number((db.prepare(`SELECT count(*) AS n FROM events WHERE ${where}`).get() as { n: number }).n);
  const pairs: readonly (readonly [string, number, number])[] = [
    ["tool.start", stored("event_type = 'tool.start'"), sent("PreToolUse")],
    ["tool_observation", stored("event_type = 'tool_observation'"), sent("PostToolBatch")],
    ["turn.start", stored("event_type = 'turn.start'"), sent("UserPromptSubmit")],
    ["turn.end", stored("event_type = 'turn.end'"), sent("Stop")],
    [
      "sessions",
      stored("event_type = 'session.lifecycle' AND payload_json LIKE '%\"started\"%'"),
      sent("SessionStart"),
    ],
  ];
  db.close();
  for (const [what, found, wanted] of pairs) {
    if (found !== wanted) throw new Error(`${what}: ${wanted} were sent, ${found} are in the database`);
  }
  if (place.spoolDepth() > 0) throw new Error(`${place.spoolDepth()} files are left in the spool`);
}

function toRows(
  ours: readonly Trial[],
  bare: readonly Trial[],
  count: number,
  bytes: number,
  weight: MemoryUse,
): Row[] {
  const rate = (trials: readonly Trial[]): number => count / median(trials.map(({ seconds }) => seconds));
  const cpu = (trials: readonly Trial[]): number => median(trials.map(({ cpuMs }) => cpuMs)) / count;
  const [eventsPerSecond, barePerSecond] = [rate(ours), rate(bare)];
  const [cpuMs, bareCpuMs] = [cpu(ours), cpu(bare)];
  const load = `${count.toLocaleString("en")} files of ${(bytes / 1_000).toFixed(1)} KB, ${ours.length} trial(s)`;
  return [
    {
      row: "4",
      what: "spool → database, events a second",
      measured: `${perSecond(eventsPerSecond)} = 1/${(barePerSecond / eventsPerSecond).toFixed(1)} of bare`,
      comparedWith: `bare trial ${perSecond(barePerSecond)}; ${load}`,
      budget: "≥ 5,000/s, or 1/3.8 of bare",
      ok: eventsPerSecond >= 5_000 || barePerSecond / eventsPerSecond <= 3.8,
      figures: rounded({ eventsPerSecond, barePerSecond, ratio: barePerSecond / eventsPerSecond, count }),
    },
    {
      row: "4",
      what: "spool → database, CPU an event",
      measured: `${cpuMs.toFixed(3)} ms = × ${(cpuMs / bareCpuMs).toFixed(1)} of bare`,
      comparedWith: `bare trial ${bareCpuMs.toFixed(3)} ms`,
      budget: "≤ 0.2 ms, or × 4 of bare",
      ok: cpuMs <= 0.2 || cpuMs / bareCpuMs <= 4,
      figures: rounded({ cpuMs, bareCpuMs, ratio: cpuMs / bareCpuMs }),
    },
    {
      row: "daemon",
      what: "RSS after the throughput run",
      measured: `${weight.after.toFixed(0)} MB, 5 s later ${weight.idle.toFixed(0)} MB`,
      comparedWith: `its peak ${weight.peak.toFixed(0)} MB; fresh: see below`,
      budget: "≤ 90 MB",
      ok: weight.idle <= 90,
      figures: rounded({ afterMb: weight.after, idleMb: weight.idle, peakMb: weight.peak }),
    },
  ];
}

function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}
