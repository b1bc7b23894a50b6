import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

export interface DaemonLock {
  release(): void;
}

const POLL_INTERVAL_MS = 20;

/** One daemon per home: an open exclusive transaction, ended by the kernel with the process. Null if held. */
export function claimDaemonLock(path: string): DaemonLock | null {
  const db = new DatabaseSync(path);
  try {
    db.exec("PRAGMA busy_timeout = 0");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5) return null;
    throw error;
  }
  return { release: () => db.close() };
}

/** Waits for a lock that is about to be released, as long as `isEnding` says so. */
export async function awaitDaemonLock(
  path: string,
  timeoutMs: number,
  isEnding: () => boolean = () => true,
): Promise<DaemonLock | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = claimDaemonLock(path);
    if (lock !== null || performance.now() >= deadline || !isEnding()) return lock;
    await setTimeout(POLL_INTERVAL_MS);
  }
}

/** Whether a daemon holds the home, whatever its pid file says: that pid may be another process's by now. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const lock = claimDaemonLock(path);
  lock?.release();
  return lock === null;
}
