// A million lines of history: how long the monitor takes over them, and whether they slow the daemon's start.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { untilAnswers } from "./answers.ts";
import { makePlace, type Place, spawnDaemon } from "./place.ts";
import { type ReplayLog, writeReplayLog } from "./replay-log.ts";
import { type ReplayTrial, replay } from "./replay-trial.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median, paired } from "./statistics.ts";

const LINES_A_SESSION = 100;
/** For the start what counts is how many sessions there were; a database of a million events takes minutes to make. */
const START_LINES_A_SESSION = 20;
const STARTS = 7;
const PATIENCE_MS = 300_000;

export async function benchReplay(lines: number): Promise<Row[]> {
  const sessions = lines / LINES_A_SESSION;
  return [...(await replayRows(lines, sessions)), ...(await startRows(sessions))];
}

async function replayRows(lines: number, sessions: number): Promise<Row[]> {
  const place = makePlace();
  const log = await writeReplayLog(logOf(place), lines, sessions);
  const bare = await replay("bare", logOf(place));
  const fold = await replay("fold", logOf(place));
  const monitor = await replay("monitor", logOf(place));
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
  // What holds for a million lines is asked of fewer in proportion.
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
  const [full, empty] = [makePlace(), makePlace()];
  const log = await writeReplayLog(logOf(full), sessions * START_LINES_A_SESSION, sessions);
  const madeSeconds = await makeDatabase(full, sessions);
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

function logOf(place: Place): string {
  return join(place.home.stream, "lifecycle.jsonl");
}

/** The daemon makes it from the log, then the rows of all sessions; those that never ended are found gone. */
async function makeDatabase(place: Place, sessions: number): Promise<number> {
  const startedAt = performance.now();
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  const seconds = (performance.now() - startedAt) / 1_000;
  const db = place.openDatabase();
  const rows = db.prepare("SELECT count(*) AS n FROM session_snapshots WHERE state IN ('completed', 'lost')");
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(250)) {
    const { n } = rows.get() as { n: number };
    if (n >= sessions) break;
    if (performance.now() > until)
      throw new Error(`${n} of ${sessions} sessions are over after ${PATIENCE_MS / 1_000} s`);
  }
  db.close();
  await daemon.stop();
  return seconds;
}

async function timeStart(place: Place): Promise<Start> {
  const startedAt = performance.now();
  const daemon = spawnDaemon(place);
  const healthMs = await daemon.untilHealthy();
  await untilAnswers(place, "/api/sessions");
  const sessionsMs = performance.now() - startedAt;
  await daemon.stop();
  return { healthMs, sessionsMs };
}
