import { readFileSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import { readPidFile } from "../files/pid-file.ts";
import type { Home } from "../home.ts";
import { removeFiles } from "./daemon-files.ts";
import { awaitDaemonLock, claimDaemonLock, type DaemonLock } from "./lock.ts";

/** A command that does a daemon's work in its own process, because none was running. */
export interface RunningCommand {
  readonly pid: number;
  readonly command: string;
}

export interface AcquireHomeOptions {
  /** Pid of the daemon that is handing over, to wait for. */
  readonly afterPid?: number | undefined;
  /** A daemon waits for a command that works in the home, however long that takes. */
  readonly isDaemon: boolean;
  readonly onWait: (work: RunningCommand) => void;
}

/** A process that merely checks the lock holds it for a moment. */
const LOCK_TIMEOUT_MS = 300;
const HANDOVER_TIMEOUT_MS = 20_000;

/** Claims the home's lock; null if another process keeps it. */
export async function acquireHomeLock(home: Home, options: AcquireHomeOptions): Promise<DaemonLock | null> {
  const { afterPid, isDaemon } = options;
  const lock =
    afterPid === undefined
      ? await awaitDaemonLock(home.lockFile, LOCK_TIMEOUT_MS)
      : // Longer for a handover, but not once a third process got it first.
        await awaitDaemonLock(
          home.lockFile,
          HANDOVER_TIMEOUT_MS,
          () => [null, afterPid].includes(readPidFile(home)) && readRunningCommand(home) === null,
        );
  if (lock !== null || !isDaemon) return lock;
  const work = readRunningCommand(home);
  if (work === null) return null;
  // Only one daemon waits: otherwise each session that starts meanwhile would add another.
  const nextLock = claimDaemonLock(home.nextLockFile);
  if (nextLock === null) return null;
  try {
    options.onWait(work);
    const freeLock = await awaitDaemonLock(
      home.lockFile,
      Number.POSITIVE_INFINITY,
      () => readRunningCommand(home) !== null,
    );
    // The file is removed a moment before the lock.
    return freeLock ?? (await awaitDaemonLock(home.lockFile, LOCK_TIMEOUT_MS));
  } finally {
    nextLock.release();
  }
}

/** Records in the home which command works there, until it is released. */
export function writeRunningCommand(home: Home, command: string): { release(): void } {
  writeAtomically(home.workFile, `${JSON.stringify({ pid: process.pid, command })}\n`);
  return { release: () => removeFiles(home.workFile) };
}

/** The command now working in the home; null if only the file of a killed one is left. */
export function readRunningCommand(home: Home): RunningCommand | null {
  try {
    const { pid, command } = JSON.parse(readFileSync(home.workFile, "utf8")) as Partial<RunningCommand>;
    if (typeof pid !== "number" || typeof command !== "string") return null;
    return isRunning(pid) ? { pid, command } : null;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function runningCommandText({ pid, command }: RunningCommand): string {
  return `\`hookline ${command}\` (pid ${pid})`;
}
