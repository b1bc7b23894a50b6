import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";

/** What the kernel tells of a process in `/proc/<pid>/stat`. */
export interface ProcessStat {
  readonly state: string;
  /** Spent by the process itself, in ticks. */
  readonly cpuTicks: number;
  /** Since the machine began, in ticks; as text, for it is also a name of the process. */
  readonly startTicks: string;
}

/** What the kernel counts time for programs in, on every machine that Node runs on. */
export const TICKS_PER_SECOND = 100;
export const PS_ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
const isLinux = process.platform === "linux";

/**
 * Whether a process lives. With `startedBeforeMs`, one that began later is another that got the same pid
 * (on Linux, to a second). One that has ended but was not waited for is gone.
 */
export function isAlive(pid: number, options: { readonly startedBeforeMs?: number } = {}): boolean {
  const stat = readStat(pid);
  if (stat === null) return answersSignal(pid);
  if (isOver(stat)) return false;
  return options.startedBeforeMs === undefined || beganBefore(stat, options.startedBeforeMs);
}

/** Whether this pid still is the process that began then, as the system words it. */
export function isSameProcess(pid: number, procStart: string | null): boolean {
  const stat = readStat(pid);
  if (stat !== null) return !isOver(stat) && (procStart === null || stat.startTicks === procStart);
  if (answersSignal(pid)) return isLinux || procStart === null || psStart(pid) === procStart;
  psStarts.delete(pid);
  return false;
}

/** Whether pids of that domain (`linux:<machine>:pid:[<namespace>]`) mean the same processes here. */
export function isOwnDomain(domain: string | null): boolean {
  const theirs = /^linux:([^:]*):(pid:\[\d+\])$/.exec(domain ?? "");
  if (theirs === null || !isLinux) return true;
  const own = ownDomain();
  return own === null || (theirs[2] === own.namespace && (theirs[1] === own.machine || own.machine === ""));
}

/** When a process began, as the system words it and `isSameProcess` wants it; null when it is not told. */
export function processStart(pid: number): string | null {
  return isLinux ? (readStat(pid)?.startTicks ?? null) : psStart(pid);
}

/** Null when there is no such process, or no such file system. */
export function readStat(pid: number): ProcessStat | null {
  const path = `/proc/${pid}/stat`;
  // Asked first: an error costs more than the question, and most that are asked for may be gone.
  if (!isLinux || !existsSync(path)) return null;
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    return parseStat(statText.toString("latin1", 0, readSync(fd, statText, 0, statText.length, 0)));
  } catch {
    // It ended between the opening and the reading.
    return null;
  } finally {
    closeSync(fd);
  }
}

const statText = Buffer.alloc(4096);

function parseStat(text: string): ProcessStat | null {
  // A program's name stands in brackets and may hold anything, brackets too.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ", 20);
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined) return null;
  return { state, cpuTicks: Number(fields[11]) + Number(fields[12]), startTicks };
}

function isOver({ state }: ProcessStat): boolean {
  return state === "Z" || state === "X";
}

let bootMs: number | null = null;

/**
 * Judged with the earliest beginning of the machine that we have seen: when the clock is set, the machine
 * seems to have begun at another time, and a process must not seem new for that.
 */
function beganBefore(stat: ProcessStat, timeMs: number): boolean {
  const sinceBootMs = (Number(stat.startTicks) / TICKS_PER_SECOND) * 1000;
  if (bootMs !== null && bootMs + sinceBootMs <= timeMs) return true;
  const seconds = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1];
  if (seconds === undefined) return true;
  bootMs = Math.min(bootMs ?? Number.POSITIVE_INFINITY, Number(seconds) * 1000);
  return bootMs + sinceBootMs <= timeMs;
}

/** Where `/proc` may hide the processes of others, only a signal tells whether they are there. */
const showsAll = isLinux && existsSync("/proc/1/stat");

function answersSignal(pid: number): boolean {
  // 0 and below mean groups of processes.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (showsAll && !existsSync(`/proc/${pid}`)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Asked once while a process lives: `ps` takes milliseconds. */
const psStarts = new Map<number, string>();

function psStart(pid: number): string | null {
  const known = psStarts.get(pid);
  if (known !== undefined) return known;
  try {
    const args = ["-o", "lstart=", "-p", String(pid)];
    const start = execFileSync("ps", args, { env: PS_ENV, encoding: "utf8", timeout: 1_000 }).trim();
    psStarts.set(pid, start);
    return start;
  } catch {
    return null;
  }
}

interface Domain {
  readonly machine: string;
  readonly namespace: string;
}

let known: Domain | null | undefined;

function ownDomain(): Domain | null {
  known ??= readDomain();
  return known;
}

function readDomain(): Domain | null {
  try {
    return { namespace: readlinkSync("/proc/self/ns/pid"), machine: readMachine() };
  } catch {
    return null;
  }
}

function readMachine(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
