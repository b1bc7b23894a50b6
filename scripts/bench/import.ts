// A year of transcripts imported by a running daemon: lines per second, peak memory, progress reporting.

import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchHome, createBenchHome, spawnDaemon } from "./bench-home.ts";
import { describeMemory, measureMemory } from "./measure-memory.ts";
import { type Row, rounded } from "./report.ts";
import { writeTranscripts } from "./transcripts.ts";
import { untilAnswers } from "./until-answers.ts";

const MAX_MB = 500;
const MIN_LINES_PER_SECOND = 8_000;
const SESSIONS = 20;

export async function benchImport(lines: number): Promise<Row[]> {
  const place = createBenchHome();
  const written = writeTranscripts(place.root, lines, SESSIONS);
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  const [startedAt, cpuBefore] = [performance.now(), daemon.cpuMs()];
  let isDone = false;
  const imported = ask(place, "POST", "/api/import", { root: written.root }).finally(() => {
    isDone = true;
  });
  const seen = new Set<number>();
  let slowestMs = 0;
  for (let n = 0; !isDone; n++) {
    const askedAt = performance.now();
    const { progress } = (await ask(place, "GET", "/api/progress")) as { progress: { done: number } | null };
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    if (progress !== null) seen.add(progress.done);
    if (n % 40 === 0)
      process.stderr.write(
        `bench: import: ${describeMemory(await measureMemory(place, daemon, (askedAt - startedAt) / 1_000))}, ${progress?.done} of ${written.bytes} bytes\n`,
      );
    await Promise.race([sleep(500), imported.catch(() => undefined)]);
  }
  const { events } = (await imported) as { events: number };
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuMs = daemon.cpuMs() - cpuBefore;
  const peak = daemon.rssMb().peak;
  await daemon.stop();
  place.remove();
  const perSecond = written.lines / seconds;
  const n = (value: number): string => Math.round(value).toLocaleString("en");
  return [
    {
      row: "import",
      what: `${n(written.lines)} lines, ${SESSIONS} sessions, ${n(written.bytes / 1e6)} MB`,
      measured: `${n(perSecond)} lines/s (${seconds.toFixed(1)} s), peak ${peak.toFixed(0)} MB`,
      comparedWith: `${n(events)} events, CPU ${(cpuMs / written.lines).toFixed(3)} ms a line; progress moved ${seen.size} times; others waited at most ${slowestMs.toFixed(0)} ms`,
      budget: `≥ ${n(MIN_LINES_PER_SECOND)} lines/s, ≤ ${MAX_MB} MB, with progress`,
      ok: perSecond >= MIN_LINES_PER_SECOND && peak <= MAX_MB && seen.size >= 10,
      figures: rounded({
        perSecond,
        seconds,
        peakMb: peak,
        cpuMs,
        events,
        progressSteps: seen.size,
        slowestMs,
      }),
    },
  ];
}

function ask(place: BenchHome, method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request({ socketPath: place.home.sock, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`));
      });
    });
    call.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
