import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { readCrashedStarts } from "../daemon/crash-loop.ts";
import { removeFiles } from "../daemon/daemon-files.ts";
import { claimDaemonLock } from "../daemon/lock.ts";
import type { Home } from "../home.ts";

const TAIL_BYTES = 16 * 1024;

/** Explains why the daemon does not answer: how it ended, and what prevents it from starting. */
export function daemonDownLines(home: Home): string[] {
  const lastEnd = lastDaemonEnd(home);
  if (lastEnd === "running") return ["A daemon is running but does not answer."];
  const lines = lastEnd === null ? [] : [lastEnd];
  const crashes = readCrashedStarts(home.crashedStarts);
  if (crashes.length === 0) return lines;
  const timesText = crashes.length === 1 ? "" : ` ${crashes.length} times in a row`;
  lines.push(`The daemon crashed soon after starting${timesText}, last at ${crashes.at(-1)}.`);
  const errorLine = lastError(home.daemonLog);
  if (errorLine !== null) lines.push(`Last error: ${errorLine}`);
  return lines;
}

/**
 * A pid file without a daemon means that it was killed. Another process may have the pid by now, and hooks
 * would mistake it for the daemon, so the file is removed. The lock shows whether a daemon is running.
 */
function lastDaemonEnd(home: Home): string | "running" | null {
  const lock = tryLock(home);
  if (lock === null) return "running";
  try {
    const pid = readFileSync(home.pidFile, "utf8").trim();
    removeFiles(home.pidFile, home.daemonJson);
    return `The last daemon (pid ${pid}) was killed.`;
  } catch {
    return null;
  } finally {
    lock.release();
  }
}

/** A home that is not writable has no daemon either. */
function tryLock(home: Home): { release(): void } | null {
  try {
    if (!existsSync(home.lockFile)) return { release: () => undefined };
    return claimDaemonLock(home.lockFile);
  } catch {
    return { release: () => undefined };
  }
}

/** The last error logged by a daemon started at or after this time, without its timestamp and level. */
export function lastErrorSince(home: Home, sinceMs: number): string | null {
  const [, at = "", words = ""] = /^(\S+) error (.*)$/.exec(lastError(home.daemonLog) ?? "") ?? [];
  return Date.parse(at) >= sinceMs ? words.replace(/^did not start: /, "").replace(/\.$/, "") : null;
}

function lastError(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    const length = readSync(fd, tail, 0, tail.length, size - tail.length);
    const lines = tail.toString("utf8", 0, length).split("\n");
    return lines.findLast((line) => /^\S+ error /.test(line)) ?? null;
  } finally {
    closeSync(fd);
  }
}
