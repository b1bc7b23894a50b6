// A thousand concurrent sessions with one event per second each, and one stream client that reads everything.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchHome, createBenchHome, type RunningDaemon, spawnDaemon } from "./bench-home.ts";
import { clockMs, type GeneratedLoad, generateLoad, writtenAtMs } from "./live-generator.ts";
import { type Lag, liveRows, totalWritten } from "./live-report.ts";
import type { Row } from "./report.ts";
import { openStreamClient } from "./stream-client.ts";
import { untilAnswers } from "./until-answers.ts";

/** The baseline: the same events, but few enough that nothing queues. */
const FEW = 20;
const FEW_SECONDS = 5;
const POLL_MS = 4;
const REST_MS = 6_000;
const TIMEOUT_MS = 60_000;

export async function benchLive(sessions: number, seconds: number): Promise<Row[]> {
  const bareMs = await bareCpuMs(sessions);
  const place = createBenchHome();
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  await sleep(3_000);
  const idle = await cpuShare(daemon, () => sleep(REST_MS));

  const lag: Lag = { database: [], stream: [] };
  const stream = await openStreamClient(place, ({ set }) => {
    const atMs = writtenAtMs(set.action?.toolUseId ?? "");
    // The same call recurs in later patches when another part of the action changes.
    if (atMs !== undefined && !seen.has(atMs)) lag.stream.push(clockMs() - atMs);
    if (atMs !== undefined) seen.add(atMs);
  });
  const seen = new Set<number>();
  const rows = watchStarts(place, (ageMs) => lag.database.push(ageMs));

  const before = await generateLoad(place, "few", FEW, FEW_SECONDS);
  await untilIngested(place, before, "few");
  const few: Lag = { database: lag.database.splice(0), stream: lag.stream.splice(0) };
  const { patches: patchesBefore, bytes: bytesBefore } = stream.counts();

  const [startedAt, cpuBefore, queuedBefore] = [performance.now(), daemon.cpuMs(), queuedMs(daemon)];
  const generated = await generateLoad(place, "many", sessions, seconds);
  const end = daemon.rssMb().now;
  const lost = await untilIngested(place, generated, "many");
  const tookMs = performance.now() - startedAt;
  const live = (daemon.cpuMs() - cpuBefore) / tookMs;
  const queued = (queuedMs(daemon) - queuedBefore) / tookMs;
  await sleep(500);
  const { patches, gaps, bytes } = stream.counts();
  rows.close();
  const silent = await cpuShare(daemon, () => sleep(REST_MS));
  const { now: rested, peak } = daemon.rssMb();
  stream.close();
  await daemon.stop();
  place.remove();
  return liveRows({
    sessions,
    fewSessions: FEW,
    restMs: REST_MS,
    few,
    many: lag,
    generated,
    lost,
    patches: patches - patchesBefore,
    bytes: bytes - bytesBefore,
    gaps,
    seconds: tookMs / 1_000,
    cpu: { idle, live, silent, queued },
    rss: { end, rested, peak },
    bareMs,
  });
}

/** 1 is one core. */
async function cpuShare(daemon: RunningDaemon, act: () => Promise<unknown>): Promise<number> {
  const [before, startedAt] = [daemon.cpuMs(), performance.now()];
  await act();
  return (daemon.cpuMs() - before) / (performance.now() - startedAt);
}

/** How long its main thread was runnable but waited for a core: load from others, not its own. */
function queuedMs({ pid }: RunningDaemon): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[1]) / 1_000_000;
}

/** Polls every few milliseconds for calls that became visible to a reader of the database. */
function watchStarts(place: BenchHome, onStart: (ageMs: number) => void): { close(): void } {
  const db = place.openDatabase();
  const find = db.prepare("SELECT seq, event_type, event_json FROM facts WHERE seq > ? ORDER BY seq");
  let seq = 0;
  const timer = setInterval(() => {
    for (const row of find.all(seq) as { seq: number; event_type: string; event_json: string }[]) {
      seq = row.seq;
      if (row.event_type !== "tool.start") continue;
      const atMs = writtenAtMs((JSON.parse(row.event_json) as { toolUseId: string }).toolUseId);
      if (atMs !== undefined) onStart(clockMs() - atMs);
    }
  }, POLL_MS);
  return {
    close() {
      clearInterval(timer);
      db.close();
    },
  };
}

const EVENT_CONDITIONS: Readonly<Record<string, string>> = {
  SessionStart: "event_type = 'session.lifecycle' AND phase = 'started'",
  UserPromptSubmit: "event_type = 'turn.start'",
  PreToolUse: "event_type = 'tool.start'",
  PermissionRequest: "event_type = 'permission' AND phase = 'requested'",
  PostToolUse: "event_type = 'tool_observation'",
  Stop: "event_type = 'turn.end'",
};

/** Waits for the last event; returns how many never arrived. */
async function untilIngested(place: BenchHome, { written }: GeneratedLoad, name: string): Promise<number> {
  const db = place.openDatabase();
  const missing = (): number =>
    Object.entries(written).reduce((sum, [hook, count]) => {
      const found = db
        .prepare(`SELECT count(*) AS n FROM facts WHERE session_id LIKE ? AND ${EVENT_CONDITIONS[hook]}`)
        .get(`${name}-%`) as { n: number };
      return sum + Math.abs(count - found.n);
    }, 0);
  const until = performance.now() + TIMEOUT_MS;
  while ((place.spoolDepth() > 0 || missing() > 0) && performance.now() < until) await sleep(100);
  const lost = missing();
  db.close();
  return lost;
}

/** As in row 4: what the minimal program needs for such files. */
async function bareCpuMs(sessions: number): Promise<number> {
  const place = createBenchHome();
  const { written } = await generateLoad(place, "bare", sessions, 4);
  const script = join(import.meta.dirname, "bare-trial.ts");
  const args = ["--disable-warning=ExperimentalWarning", script, place.home.spool, place.root];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0 || place.spoolDepth() > 0) throw new Error(`the bare trial ended with ${code}`);
  place.remove();
  return Number(said) / totalWritten(written);
}
