// The cost of remembering: CPU from a hook to an indexed item, memory of the daemon and its embedder, and
// startup with a full memory.

import { renameSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MemoryStatus } from "../../src/serve/memory-queries.ts";
import { type BenchHome, createBenchHome, type RunningDaemon, spawnDaemon } from "./bench-home.ts";
import { type EmbedderProcess, findEmbedderProcess } from "./embedder-process.ts";
import type { FilledHomes } from "./filled-homes.ts";
import { spoolEntries } from "./payloads.ts";
import { ms, type Row, rounded } from "./report.ts";
import { median } from "./statistics.ts";
import { untilAnswers } from "./until-answers.ts";

export interface LoadSizes {
  readonly toolUses: number;
  readonly items: number;
  readonly starts: number;
}

/** The embedder exits after a minute without work. */
const IDLE_MS = 75_000;
const SETTLED_MS = 5_000;
const MAX_MB = 90;
const MAX_EMBEDDER_MB = 300;
const MAX_START_MS = 300;
/** Spool files per tool use: before, after and around it, including some skipped tools. */
const PER_TOOL_USE = 4.12;

export async function benchMemoryLoad(filled: FilledHomes, sizes: LoadSizes): Promise<Row[]> {
  const taken = await ingestToolUses(sizes.toolUses);
  const full = await measureFull(filled, sizes.items);
  const starts = await timeStarts(filled, sizes);
  return [...ingestRows(taken), ...fullRows(full, sizes.items), startRow(starts, sizes)];
}

interface IngestResult {
  readonly toolUses: number;
  readonly freshMb: number;
  readonly storedCpuMs: number;
  readonly madeCpuMs: number;
  readonly madeSeconds: number;
  readonly embedder: { readonly peakMb: number; readonly cpuMs: number; readonly seconds: number };
  readonly afterMb: number;
  readonly peakMb: number;
  readonly idleMs: number | null;
}

/** Gives an idle daemon a spool of tool uses and waits until all are remembered, indexed and embedded. */
async function ingestToolUses(toolUses: number): Promise<IngestResult> {
  const place = createBenchHome();
  const full = `${place.home.spool}.full`;
  await mkdir(full, { mode: 0o700 });
  const entries = spoolEntries(Math.round(toolUses * PER_TOOL_USE), Math.ceil(toolUses / 40));
  for (const [n, { content }] of entries.entries())
    await writeFile(join(full, `${4_711 + (n % 5)}-${10_000 + n}-0`), content, { mode: 0o600 });
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/sessions");
  await sleep(3_000);
  const [freshMb, cpuBefore, startedAt] = [daemon.rssMb().now, daemon.cpuMs(), performance.now()];
  renameSync(place.home.spool, `${place.home.spool}.empty`);
  renameSync(full, place.home.spool);
  rmSync(`${place.home.spool}.empty`, { recursive: true });
  await ask(place, "POST", "/api/flush");
  const storedCpuMs = daemon.cpuMs() - cpuBefore;

  let made: { readonly cpuMs: number; readonly seconds: number } | null = null;
  let [embedderPeakMb, embedderCpuMs] = [0, 0];
  for (const until = performance.now() + 600_000; ; await sleep(100)) {
    if (performance.now() > until) throw new Error("not all is embedded after 600 s");
    const { index, outbox } = await memoryOf(place);
    const embedder = findEmbedderProcess(daemon.pid);
    embedderPeakMb = Math.max(embedderPeakMb, embedder?.peakMb ?? 0);
    embedderCpuMs = Math.max(embedderCpuMs, embedder?.cpuMs ?? 0);
    if (index.embedder === null) throw new Error(`there is no embedder: ${index.note}`);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (outbox === 0 && index.waiting === 0 && index.items > 0)
      made ??= { cpuMs: daemon.cpuMs() - cpuBefore, seconds };
    if (made !== null && index.unembedded === 0) break;
  }
  const embedded = (performance.now() - startedAt) / 1_000;
  await sleep(SETTLED_MS);
  const { now: afterMb, peak: peakMb } = daemon.rssMb();
  const idleMs = await untilEmbedderExits(daemon);
  const seen = observationsIn(place);
  await daemon.stop();
  place.remove();
  return {
    toolUses: seen,
    freshMb,
    storedCpuMs,
    madeCpuMs: made.cpuMs,
    madeSeconds: made.seconds,
    embedder: { peakMb: embedderPeakMb, cpuMs: embedderCpuMs, seconds: embedded },
    afterMb,
    peakMb,
    idleMs,
  };
}

/** Returns how long the embedder takes to exit; null when it stays. */
async function untilEmbedderExits(daemon: RunningDaemon): Promise<number | null> {
  const startedAt = performance.now();
  for (; performance.now() - startedAt < IDLE_MS; await sleep(500))
    if (findEmbedderProcess(daemon.pid) === null) return performance.now() - startedAt;
  return null;
}

interface FullMemory {
  readonly restingMb: number;
  readonly searchingMb: number;
  readonly embedder: EmbedderProcess | null;
}

async function measureFull(filled: FilledHomes, items: number): Promise<FullMemory> {
  const place = filled(items);
  const daemon = spawnDaemon(place);
  await untilAnswers(place, "/api/memory");
  await sleep(SETTLED_MS);
  const restingMb = daemon.rssMb().now;
  for (let n = 0; n < 50; n++) await ask(place, "GET", `/api/search?q=checkout+discount+${n}`);
  const embedder = findEmbedderProcess(daemon.pid);
  await sleep(SETTLED_MS);
  const searchingMb = daemon.rssMb().now;
  await daemon.stop();
  place.remove();
  return { restingMb, searchingMb, embedder };
}

interface Starts {
  readonly full: readonly number[];
  readonly empty: readonly number[];
}

async function timeStarts(filled: FilledHomes, { items, starts }: LoadSizes): Promise<Starts> {
  const places = { full: filled(items), empty: createBenchHome() };
  const took = { full: [] as number[], empty: [] as number[] };
  for (let n = -1; n < starts; n++) {
    for (const which of n % 2 === 0 ? (["full", "empty"] as const) : (["empty", "full"] as const)) {
      const daemon = spawnDaemon(places[which]);
      const healthy = await daemon.untilHealthy();
      await untilAnswers(places[which], "/api/sessions");
      await daemon.stop();
      if (n >= 0) took[which].push(healthy);
    }
  }
  for (const place of Object.values(places)) place.remove();
  return took;
}

function ingestRows(taken: IngestResult): Row[] {
  const { toolUses, freshMb, storedCpuMs, madeCpuMs, madeSeconds, embedder, afterMb, peakMb, idleMs } = taken;
  const each = (cpuMs: number): number => cpuMs / toolUses;
  const uses = `${toolUses.toLocaleString("en")} tool uses`;
  return [
    {
      row: "memory",
      what: "CPU a tool use, hook → indexed",
      measured: `${ms(each(madeCpuMs))}, of it remembering ${ms(each(madeCpuMs - storedCpuMs))}`,
      comparedWith: `in the database after ${ms(each(storedCpuMs))}; ${uses}, all indexed after ${madeSeconds.toFixed(1)} s`,
      budget: "none",
      ok: null,
      figures: rounded({
        cpuMs: each(madeCpuMs),
        storedCpuMs: each(storedCpuMs),
        toolUses,
        seconds: madeSeconds,
      }),
    },
    {
      row: "memory",
      what: "CPU a tool use, embedding apart",
      measured: ms(each(embedder.cpuMs)),
      comparedWith: `in a process of its own, niced; all embedded after ${embedder.seconds.toFixed(1)} s`,
      budget: "none",
      ok: null,
      figures: rounded({ cpuMs: each(embedder.cpuMs), seconds: embedder.seconds }),
    },
    rssRow(`RSS after ${uses}`, afterMb, `fresh ${freshMb.toFixed(0)} MB, peak ${peakMb.toFixed(0)} MB`),
    {
      row: "memory",
      what: "embedder: most RSS, and gone when idle",
      measured: `${embedder.peakMb.toFixed(0)} MB, ${idleMs === null ? "still there" : `gone ${(idleMs / 1_000).toFixed(0)} s`} after ${SETTLED_MS / 1_000} s of rest`,
      comparedWith: "it rests for 60 s before it ends",
      budget: `≤ ${MAX_EMBEDDER_MB} MB, gone`,
      ok: embedder.peakMb <= MAX_EMBEDDER_MB && idleMs !== null,
      figures: rounded({ peakMb: embedder.peakMb, goneMs: idleMs ?? -1 }),
    },
  ];
}

function fullRows({ restingMb, searchingMb, embedder }: FullMemory, items: number): Row[] {
  const many = `${items.toLocaleString("en")} items`;
  return [
    rssRow(`RSS with ${many}, after the start`, restingMb, "nobody has searched"),
    rssRow(
      `RSS with ${many}, after 50 searches`,
      searchingMb,
      `the embedder beside it ${embedder === null ? "is not there" : `${embedder.rssMb.toFixed(0)} MB`}`,
    ),
  ];
}

function rssRow(what: string, rssMb: number, comparedWith: string): Row {
  return {
    row: "memory",
    what,
    measured: `${rssMb.toFixed(0)} MB`,
    comparedWith,
    budget: `≤ ${MAX_MB} MB`,
    ok: rssMb <= MAX_MB,
    figures: rounded({ rssMb }),
  };
}

function startRow({ full, empty }: Starts, { items, starts }: LoadSizes): Row {
  const [start, bare] = [median(full), median(empty)];
  return {
    row: "memory",
    what: `start with ${items.toLocaleString("en")} items → health`,
    measured: `${ms(start)} (min ${ms(Math.min(...full))})`,
    comparedWith: `empty home ${ms(bare)} (min ${ms(Math.min(...empty))}), ${starts} pairs`,
    budget: `≤ ${MAX_START_MS} ms`,
    ok: start <= MAX_START_MS,
    figures: rounded({ startMs: start, emptyMs: bare, minMs: Math.min(...full), starts }),
  };
}

function observationsIn(place: BenchHome): number {
  const db = place.openDatabase();
  const { n } = db.prepare("SELECT count(*) AS n FROM observations").get() as { n: number };
  db.close();
  return n;
}

async function memoryOf(place: BenchHome): Promise<MemoryStatus> {
  return JSON.parse(await ask(place, "GET", "/api/memory")) as MemoryStatus;
}

function ask(place: BenchHome, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: place.home.sock, path, method, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(text));
    });
    call.on("error", reject).end();
  });
}
