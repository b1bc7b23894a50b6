// The daemon alone, as installed: how soon it answers, and its memory and CPU while idle.

import { setTimeout as sleep } from "node:timers/promises";
import { createBenchHome, spawnDaemon } from "./bench-home.ts";
import { installPackage } from "./install-package.ts";
import { ms, type Row, rounded } from "./report.ts";
import { openSpawner } from "./spawner.ts";
import { median, paired } from "./statistics.ts";

const IDLE_MS = 5_000;
/** The limit for "≈ 0": the measurement is accurate to two kernel clock ticks. */
const MAX_IDLE_SHARE = 0.005;

export async function benchStart(starts: number): Promise<Row[]> {
  const program = await installPackage();
  const place = createBenchHome();
  const spawner = openSpawner(place);
  const [took, node, cpu]: [number[], number[], number[]] = [[], [], []];
  for (let n = -1; n < starts; n++) {
    const bare = await spawner.time([process.execPath, "-e", "0"], "");
    const daemon = spawnDaemon(place, program);
    const healthy = await daemon.untilHealthy();
    const cpuMs = daemon.cpuMs();
    await daemon.stop();
    if (n < 0) continue;
    took.push(healthy);
    node.push(bare);
    cpu.push(cpuMs);
  }
  spawner.close();
  const daemon = spawnDaemon(place, program);
  await daemon.untilHealthy();
  // Wait until it has released the memory of its start, which happens once.
  await sleep(3_000);
  const before = daemon.cpuMs();
  await sleep(IDLE_MS);
  const idleMs = daemon.cpuMs() - before;
  const rss = daemon.rssMb().now;
  await daemon.stop();
  place.remove();

  const [start, bare] = [median(took), median(node)];
  return [
    {
      row: "daemon",
      what: "start: spawn → health answers",
      measured: `${ms(start)} (min ${ms(Math.min(...took))}, CPU ${ms(median(cpu))})`,
      comparedWith: `node -e 0 ${ms(bare)}: × ${median(paired(took, node, (a, b) => a / b)).toFixed(1)}; ${starts} starts`,
      budget: "≤ 300 ms",
      ok: start <= 300,
      figures: rounded({
        startMs: start,
        minMs: Math.min(...took),
        cpuMs: median(cpu),
        nodeMs: bare,
        starts,
      }),
    },
    {
      row: "daemon",
      what: "RSS, fresh and idle",
      measured: `${rss.toFixed(0)} MB`,
      comparedWith: "an empty home",
      budget: "≤ 90 MB",
      ok: rss <= 90,
      figures: rounded({ rssMb: rss }),
    },
    {
      row: "daemon",
      what: "CPU while idle",
      measured: `${idleMs.toFixed(0)} ms in ${IDLE_MS / 1_000} s = ${((idleMs / IDLE_MS) * 100).toFixed(1)} %`,
      comparedWith: "the kernel's clock of 10 ms",
      budget: "≈ 0 (≤ 0.5 %)",
      ok: idleMs / IDLE_MS <= MAX_IDLE_SHARE,
      figures: rounded({ idleMs, overMs: IDLE_MS }),
    },
  ];
}
