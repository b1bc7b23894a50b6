// A million lines of history: how long the monitor takes, and whether they slow the daemon's start.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchHome, createBenchHome, spawnDaemon } from "./bench-home.ts";
import { type ReplayLog, writeReplayLog } from "./replay-log.ts";
import { type ReplayTrial, runReplay } from "./replay-trial.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median, paired } from "./statistics.ts";
import { untilAnswers } from "./until-answers.ts";

const LINES_A_SESSION = 100;
/** Startup depends on the number of sessions; a database of a million events takes minutes to build. */
const START_LINES_A_SESSION = 20;
const STARTS = 7;
const TIMEOUT_MS = 300_000;

export async function benchReplay(lines: number): Promise<Row[]> {
  const sessions = lines / LINES_A_SESSION;
  return [...(await replayRows(lines, sessions)), ...(await startRows(sessions))];
}

async function replayRows(lines: number, sessions: number): Promise<Row[]> {
  const place = createBenchHome();
  const log = await writeReplayLog(logOf(place), lines, sessions);
  const bare = await runReplay("bare", logOf(place));
  const fold = await runReplay("fold", logOf(place));
  const monitor = await runReplay("monitor", logOf(place));
  place.remove();
  if (bare.result !== log.lines) throw new Error(`${log.lines} lines were written, ${bare.result} were read`);
  if (fold.result !== log.sessions)
    throw new Error(`${log.sessions} sessions were written, ${fold.result} were folded`);
  return [
    toReplayRow("every session kept, each read once", fold, bare, log),
    toReplayRow("the monitor's start", monitor, bare, log),
  ];
}

function toReplayRow(what: string, trial: ReplayTrial, bare: ReplayTrial, log: ReplayLog): Row {
  const perSecond = (one: ReplayTrial): number => log.lines / one.seconds;
  const n = (value: number): string => Math.round(value).toLocaleString("en");
  const size = `${(log.bytes / 1_000_000).toFixed(0)} MB, ${n(log.sessions)} sessions`;
  // The budget for a million lines is scaled down for fewer.
  const most = (60 * log.lines) / 1_000_000;
  return {
    row: "replay",
    what: `${n(log.lines)} lines, ${what}`,
    measured: `${trial.seconds.toFixed(1)} s = ${n(perSecond(trial))} lines/s, CPU ${(trial.cpuMs / 1_000).toFixed(1)} s, peak ${trial.rssMb.toFixed(0)} MB`,
    comparedWith: `reading and parsing alone ${bare.seconds.toFixed(1)} s, peak ${bare.rssMb.toFixed(0)} MB: × ${(trial.seconds / bare.seconds).toFixed(1)}; ${size}`,
    budget: "1M ≤ 60 s",
    ok: trial.seconds <= most,
    figures: rounded({
      seconds: trial.seconds,
      cpuMs: trial.cpuMs,
      peakMb: trial.rssMb,
      bareSeconds: bare.seconds,
      bareCpuMs: bare.cpuMs,
      known: trial.result,
      lines: log.lines,
      bytes: log.bytes,
      sessions: log.sessions,
    }),
  };
}

interface Start {
  readonly healthMs: number;
  readonly sessionsMs: number;
}

async function startRows(sessions: number): Promise<Row[]> {
  const [full, empty] = [createBenchHome(), createBenchHome()];
  const log = await writeReplayLog(logOf(full), sessions * START_LINES_A_SESSION, sessions);
  const madeSeconds = await buildDatabase(full, sessions);
  const [withHistory, without]: [Start[], Start[]] = [[], []];
  for (let n = -1; n < STARTS; n++) {
    const [one, other] = [await timeStart(empty), await timeStart(full)];
    if (n < 0) continue;
    without.push(one);
    withHistory.push(other);
  }
  full.remove();
  empty.remove();
  const n = (value: number): string => value.toLocaleString("en");
  const row = (what: string, key: keyof Start, most: number | null): Row => {
    const values = (starts: readonly Start[]): number[] => starts.map((start) => start[key]);
    const [took, bare] = [median(values(withHistory)), median(values(without))];
    const more = median(paired(values(withHistory), values(without), (a, b) => a - b));
    return {
      row: "replay",
      what: `start with ${n(sessions)} sessions of history → ${what}`,
      measured: `${ms(took)} (min ${ms(Math.min(...values(withHistory)))}), ${more < 0 ? "−" : "+"}${ms(Math.abs(more))}`,
      comparedWith: `an empty home ${ms(bare)} (min ${ms(Math.min(...values(without)))}); ${STARTS} pairs; ${n(log.lines)} lines`,
      budget: most === null ? "none" : `≤ ${most} ms`,
      ok: most === null ? null : took <= most,
      figures: rounded({
        tookMs: took,
        emptyMs: bare,
        moreMs: more,
        madeSeconds,
        lines: log.lines,
        sessions,
      }),
    };
  };
  return [row("health", "healthMs", 300), row("/api/sessions", "sessionsMs", null)];
}

function logOf(place: BenchHome): string {
  return join(place.home.stream, "lifecycle.jsonl");
}

/** The daemon builds it from the log, then the session rows; those without an end are found lost. */
async function buildDatabase(place: BenchHome, sessions: number): Promise<number> {
  const startedAt = performance.now();
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  const seconds = (performance.now() - startedAt) / 1_000;
  const db = place.openDatabase();
  const rows = db.prepare("SELECT count(*) AS n FROM session_snapshots WHERE state IN ('completed', 'lost')");
  for (const until = performance.now() + TIMEOUT_MS; ; await sleep(250)) {
    const { n } = rows.get() as { n: number };
    if (n >= sessions) break;
    if (performance.now() > until)
      throw new Error(`${n} of ${sessions} sessions are over after ${TIMEOUT_MS / 1_000} s`);
  }
  db.close();
  await daemon.stop();
  return seconds;
}

async function timeStart(place: BenchHome): Promise<Start> {
  const startedAt = performance.now();
  const daemon = spawnDaemon(place);
  const healthMs = await daemon.untilHealthy();
  await untilAnswers(place, "/api/sessions");
  const sessionsMs = performance.now() - startedAt;
  await daemon.stop();
  return { healthMs, sessionsMs };
}
