// A spool that filled up while no daemon ran: time until all of it is in the database, and peak memory.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createBenchHome, spawnDaemon } from "./bench-home.ts";
import { installPackage } from "./install-package.ts";
import { describeMemory, measureMemory } from "./measure-memory.ts";
import { payloadOf } from "./payloads.ts";
import { type Row, rounded } from "./report.ts";
import { untilAnswers } from "./until-answers.ts";

const EVENTS_A_SESSION = 400;
const MAX_MB = 400;
const TIMEOUT_MS = 900_000;

export async function benchBacklog(files: number): Promise<Row[]> {
  const place = createBenchHome();
  fill(place.home.spool, files);
  const daemon = spawnDaemon(place, await installPackage());
  const startedAt = performance.now();
  const healthMs = await daemon.untilHealthy();
  await untilAnswers(place, "/api/sessions");
  while (place.spoolDepth() > 0) {
    if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`${place.spoolDepth()} files are left`);
    await sleep(250);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const peak = daemon.rssMb().peak;
  await sleep(10_000);
  const rested = await measureMemory(place, daemon, seconds + 10);
  const most = daemon.rssMb().peak;
  process.stderr.write(`bench: backlog: ${describeMemory(rested)}\n`);
  await daemon.stop();
  place.remove();
  return [
    {
      row: "backlog",
      what: `${files.toLocaleString("en")} spool files at the start: peak RSS`,
      measured: `${most.toFixed(0)} MB (${peak.toFixed(0)} while ingesting), 10 s later ${rested.rss.toFixed(0)} MB`,
      comparedWith: `${seconds.toFixed(1)} s = ${Math.round(files / seconds).toLocaleString("en")}/s; health after ${healthMs.toFixed(0)} ms`,
      budget: `≤ ${MAX_MB} MB`,
      ok: most <= MAX_MB,
      figures: rounded({ ...rested, peakMb: most, seconds, filesPerSecond: files / seconds, healthMs }),
    },
  ];
}

/** Writes files as hooks leave them: a prompt, calls and their results, then the end of the turn. */
function fill(spool: string, files: number): void {
  const turn = [
    "UserPromptSubmit",
    "PreToolUse.Bash",
    "PostToolUse.Bash",
    "PreToolUse.Read",
    "PostToolUse.Read",
    "Stop",
  ];
  for (let n = 0; n < files; n++) {
    const [session, step] = [Math.floor(n / EVENTS_A_SESSION), n % EVENTS_A_SESSION];
    const hook = turn[step % turn.length]!;
    const at = Math.floor(step / turn.length);
    const ids = {
      session_id: `backlog-${session}`,
      prompt_id: `backlog-${session}-${at}`,
      tool_use_id: `toolu_backlog${session}x${at}x${hook.endsWith("Bash") ? 1 : 2}`,
    };
    writeFileSync(join(spool, `4711-${100_000 + n}-0`), payloadOf(hook, ids, 1_500, n), { mode: 0o600 });
  }
}
