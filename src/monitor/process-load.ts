import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { PS_ENV, readStat, TICKS_PER_SECOND } from "./processes.ts";

export interface ProcessLoad {
  /**
   * 100 is one core. Covers the time since the last read; null at the first (on macOS, the system's
   * average).
   */
  readonly cpuPercent: number | null;
  readonly rssBytes: number;
}

export interface LoadReader {
  /** Returns the resource usage of processes, without dead ones. */
  read(pids: readonly number[]): Promise<Map<number, ProcessLoad>>;
}

interface Sample {
  readonly startTicks: string;
  readonly cpuTicks: number;
  readonly atMs: number;
}

/** Keeps the previous sample only of the processes requested last. */
export function createLoadReader(monotonicMs: () => number = () => performance.now()): LoadReader {
  let previous = new Map<number, Sample>();
  return {
    async read(pids) {
      if (pids.length === 0) return new Map();
      if (process.platform !== "linux") return readPs(pids);
      const samples = new Map<number, Sample>();
      const loads = new Map<number, ProcessLoad>();
      for (const pid of pids) {
        const stat = readStat(pid);
        const rssBytes = readRss(pid);
        if (stat === null || rssBytes === null) continue;
        const sample = { startTicks: stat.startTicks, cpuTicks: stat.cpuTicks, atMs: monotonicMs() };
        samples.set(pid, sample);
        loads.set(pid, { cpuPercent: percent(previous.get(pid), sample), rssBytes });
      }
      previous = samples;
      return loads;
    },
  };
}

function percent(previous: Sample | undefined, now: Sample): number | null {
  if (previous === undefined || previous.startTicks !== now.startTicks || now.atMs <= previous.atMs)
    return null;
  const usedMs = ((now.cpuTicks - previous.cpuTicks) / TICKS_PER_SECOND) * 1000;
  return (usedMs / (now.atMs - previous.atMs)) * 100;
}

/** `/proc` reports kilobytes, whatever the page size. A process that has ended has none. */
function readRss(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

const run = promisify(execFile);

async function readPs(pids: readonly number[]): Promise<Map<number, ProcessLoad>> {
  const args = ["-o", "pid=,%cpu=,rss=", "-p", pids.join(",")];
  // `ps` fails if one of them is gone, but still prints the others.
  const { stdout } = await run("ps", args, { env: PS_ENV }).catch((error: { stdout?: string }) => error);
  return parsePs(stdout ?? "");
}

export function parsePs(text: string): Map<number, ProcessLoad> {
  const loads = new Map<number, ProcessLoad>();
  for (const line of text.split("\n")) {
    const [pid, cpu, rss] = line.trim().split(/\s+/).map(Number);
    if (pid === undefined || cpu === undefined || rss === undefined || Number.isNaN(pid + cpu + rss))
      continue;
    loads.set(pid, { cpuPercent: cpu, rssBytes: rss * 1024 });
  }
  return loads;
}
