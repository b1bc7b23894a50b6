import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { shortLives } from "../daemon/crash-loop.ts";
import { removeFiles } from "../daemon/daemon-files.ts";
import { takeDaemonLock } from "../daemon/lock.ts";
import type { Home } from "../home.ts";

const TAIL_BYTES = 16 * 1024;

/** What a person should know of a daemon that does not answer: how it ended, and what keeps it from starting. */
export function whyDown(home: Home): string[] {
  const died = lastDeath(home);
  if (died === "running") return ["A daemon holds the home but does not answer."];
  const lines = died === null ? [] : [died];
  const lives = shortLives(home.shortLives);
  if (lives.length === 0) return lines;
  const times = lives.length === 1 ? "" : ` ${lives.length} times in a row`;
  lines.push(`The daemon ended soon after its start${times}, last at ${lives.at(-1)}.`);
  const words = lastError(home.daemonLog);
  if (words !== null) lines.push(`Its last words: ${words}`);
  return lines;
}

/**
 * A pid file without a daemon: it was killed. The number may be another process's by now, which hooks would take
 * for the daemon: the file goes. The lock says whether there is a daemon, and is held meanwhile.
 */
function lastDeath(home: Home): string | "running" | null {
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

/** A home that cannot be written has no daemon either. */
function tryLock(home: Home): { release(): void } | null {
  try {
    if (!existsSync(home.lockFile)) return { release: () => undefined };
    return takeDaemonLock(home.lockFile);
  } catch {
    return { release: () => undefined };
  }
}

/** What a daemon that was started at this time or later said last, without its time and level. */
export function lastWords(home: Home, sinceMs: number): string | null {
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
