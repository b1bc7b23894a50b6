// A working day in minutes: fifty events a second, one stream client that reads everything, and the daemon's
// memory. Flat means: over the last third it grows by no more than the noise of one sample.

import { setTimeout as sleep } from "node:timers/promises";
import { createBenchHome, spawnDaemon } from "./bench-home.ts";
import { installPackage } from "./install-package.ts";
import { type GeneratedLoad, generateLoad } from "./live-generator.ts";
import { describeMemory, type MemorySample, measureMemory } from "./measure-memory.ts";
import { type Row, rounded } from "./report.ts";
import { median } from "./statistics.ts";
import { openStreamClient } from "./stream-client.ts";
import { untilAnswers } from "./until-answers.ts";

const SESSIONS = 50;
const SAMPLE_MS = 5_000;
const MAX_MB = 200;
const MAX_GROWTH_MB = 10;

export async function benchSoak(seconds: number): Promise<Row[]> {
  const place = createBenchHome();
  const daemon = spawnDaemon(place, await installPackage());
  await untilAnswers(place, "/api/sessions");
  const stream = await openStreamClient(place, () => undefined);
  const startedAt = performance.now();
  const samples: MemorySample[] = [];
  let generated: GeneratedLoad | null = null;
  const generating = generateLoad(place, "soak", SESSIONS, seconds).then((result) => {
    generated = result;
  });
  while (generated === null) {
    const weight = await measureMemory(place, daemon, (performance.now() - startedAt) / 1_000);
    samples.push(weight);
    if (samples.length % 6 === 1) process.stderr.write(`bench: soak: ${describeMemory(weight)}\n`);
    await Promise.race([sleep(SAMPLE_MS), generating]);
  }
  await generating;
  const cpuMs = daemon.cpuMs();
  const end = await measureMemory(place, daemon, (performance.now() - startedAt) / 1_000);
  const peak = daemon.rssMb().peak;
  const spooled = place.spoolDepth();
  stream.close();
  await daemon.stop();
  place.remove();

  const third = Math.max(2, Math.floor(samples.length / 3));
  const [before, after] = [samples.slice(-2 * third, -third), samples.slice(-third)];
  const growth = median(after.map(({ rss }) => rss)) - median(before.map(({ rss }) => rss));
  const last = median(after.map(({ rss }) => rss));
  const events = SESSIONS * seconds;
  return [
    {
      row: "soak",
      what: `RSS after ${seconds} s at ${SESSIONS} events/s`,
      measured: `${end.rss.toFixed(0)} MB (last third ${last.toFixed(0)}, ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} on the third before; peak ${peak.toFixed(0)})`,
      comparedWith: `heap ${end.heapUsed} of ${end.heapTotal}, external ${end.external}, anonymous ${end.anonymous}, file ${end.file} MB; CPU ${(cpuMs / events).toFixed(2)} ms an event`,
      budget: `≤ ${MAX_MB} MB, flat (≤ +${MAX_GROWTH_MB})`,
      ok: Math.max(end.rss, last) <= MAX_MB && growth <= MAX_GROWTH_MB && spooled < SESSIONS,
      figures: rounded({ ...end, lastThirdMb: last, growthMb: growth, peakMb: peak, cpuMs, events, spooled }),
    },
  ];
}
