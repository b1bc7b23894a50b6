import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";

/** Fields of `/proc/<pid>/stat`. */
export interface ProcessStat {
  readonly state: string;
  /** CPU time of the process itself, in ticks. */
  readonly cpuTicks: number;
  /** Ticks since boot; text, because it also identifies the process. */
  readonly startTicks: string;
}

/** The kernel's user-visible tick rate, on every machine that Node runs on. */
export const TICKS_PER_SECOND = 100;
export const PS_ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
const isLinux = process.platform === "linux";

/**
 * Whether a process is alive. With `startedBeforeMs`, one that started later is another with the same pid (on
 * Linux, accurate to a second). A zombie is not alive.
 */
export function isAlive(pid: number, options: { readonly startedBeforeMs?: number } = {}): boolean {
  const stat = readStat(pid);
  if (stat === null) return answersSignal(pid);
  if (hasExited(stat)) return false;
  return options.startedBeforeMs === undefined || startedBefore(stat, options.startedBeforeMs);
}

/** Whether this pid is still the process with that start time, in the system's format. */
export function isSameProcess(pid: number, procStart: string | null): boolean {
  const stat = readStat(pid);
  if (stat !== null) return !hasExited(stat) && (procStart === null || stat.startTicks === procStart);
  if (answersSignal(pid)) return isLinux || procStart === null || psStart(pid) === procStart;
  psStarts.delete(pid);
  return false;
}

/** Whether pids of that domain (`linux:<machine>:pid:[<namespace>]`) refer to the same processes here. */
export function isOwnDomain(domain: string | null): boolean {
  const theirs = /^linux:([^:]*):(pid:\[\d+\])$/.exec(domain ?? "");
  if (theirs === null || !isLinux) return true;
  const own = ownDomain();
  return own === null || (theirs[2] === own.namespace && (theirs[1] === own.machine || own.machine === ""));
}

/** The start time of a process, in the system's format as `isSameProcess` expects; null if unknown. */
export function processStart(pid: number): string | null {
  return isLinux ? (readStat(pid)?.startTicks ?? null) : psStart(pid);
}

/** Null when there is no such process or no `/proc`. */
export function readStat(pid: number): ProcessStat | null {
  const path = `/proc/${pid}/stat`;
  // Checked first: an error costs more than the check, and most requested processes may be gone.
  if (!isLinux || !existsSync(path)) return null;
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    return parseStat(statBuffer.toString("latin1", 0, readSync(fd, statBuffer, 0, statBuffer.length, 0)));
  } catch {
    // It ended between open and read.
    return null;
  } finally {
    closeSync(fd);
  }
}

const statBuffer = Buffer.alloc(4096);

function parseStat(text: string): ProcessStat | null {
  // The program name is in brackets and may contain anything, including brackets.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ", 20);
  const [state, startTicks] = [fields[0], fields[19]];
  if (state === undefined || startTicks === undefined) return null;
  return { state, cpuTicks: Number(fields[11]) + Number(fields[12]), startTicks };
}

function hasExited({ state }: ProcessStat): boolean {
  return state === "Z" || state === "X";
}

let bootMs: number | null = null;

/**
 * Uses the earliest boot time seen so far: when the clock is set, the computed boot time changes, and a
 * process must not seem new because of that.
 */
function startedBefore(stat: ProcessStat, timeMs: number): boolean {
  const sinceBootMs = (Number(stat.startTicks) / TICKS_PER_SECOND) * 1000;
  if (bootMs !== null && bootMs + sinceBootMs <= timeMs) return true;
  const seconds = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1];
  if (seconds === undefined) return true;
  bootMs = Math.min(bootMs ?? Number.POSITIVE_INFINITY, Number(seconds) * 1000);
  return bootMs + sinceBootMs <= timeMs;
}

/** Where `/proc` may hide other users' processes, only a signal shows whether they exist. */
const seesAllInProc = isLinux && existsSync("/proc/1/stat");

function answersSignal(pid: number): boolean {
  // 0 and below refer to process groups.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  if (seesAllInProc && !existsSync(`/proc/${pid}`)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Read once per process: `ps` takes milliseconds. */
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

let cachedDomain: Domain | null | undefined;

function ownDomain(): Domain | null {
  cachedDomain ??= readDomain();
  return cachedDomain;
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
