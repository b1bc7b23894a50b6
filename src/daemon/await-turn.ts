import { readFileSync } from "node:fs";
import { writeAtomically } from "../files/atomic-file.ts";
import { namedPid } from "../files/pid-file.ts";
import type { Home } from "../home.ts";
import { removeFiles } from "./daemon-files.ts";
import { awaitDaemonLock, type DaemonLock, takeDaemonLock } from "./lock.ts";

/** A command that does a daemon's work in its own process, because none ran. */
export interface CommandAtWork {
  readonly pid: number;
  readonly command: string;
}

export interface TurnOptions {
  /** The pid of a daemon that hands over and is waited for. */
  readonly after?: number | undefined;
  /** To serve: waits for a command that works in the home, however long that takes. */
  readonly isDaemon: boolean;
  readonly onWait: (work: CommandAtWork) => void;
}

/** Whoever only looks whether the lock is taken holds it for a moment. */
const LOCK_WAIT_MS = 300;
const HANDOVER_MS = 20_000;

/** The home's lock; null when somebody has it who does not give it away. */
export async function awaitTurn(home: Home, options: TurnOptions): Promise<DaemonLock | null> {
  const { after, isDaemon } = options;
  const lock =
    after === undefined
      ? await awaitDaemonLock(home.lockFile, LOCK_WAIT_MS)
      : // Longer for a handover, but not once a third has come first.
        await awaitDaemonLock(
          home.lockFile,
          HANDOVER_MS,
          () => [null, after].includes(namedPid(home)) && commandAtWork(home) === null,
        );
  if (lock !== null || !isDaemon) return lock;
  const work = commandAtWork(home);
  if (work === null) return null;
  // One daemon waits: each session that starts meanwhile would bring another.
  const next = takeDaemonLock(home.nextLockFile);
  if (next === null) return null;
  try {
    options.onWait(work);
    const free = await awaitDaemonLock(
      home.lockFile,
      Number.POSITIVE_INFINITY,
      () => commandAtWork(home) !== null,
    );
    // The file goes a moment before the lock does.
    return free ?? (await awaitDaemonLock(home.lockFile, LOCK_WAIT_MS));
  } finally {
    next.release();
  }
}

/** Says in the home which command works there, until it is released. */
export function noteWork(home: Home, command: string): { release(): void } {
  writeAtomically(home.workFile, `${JSON.stringify({ pid: process.pid, command })}\n`);
  return { release: () => removeFiles(home.workFile) };
}

/** The command that works in the home now; one that was killed left only its file. */
export function commandAtWork(home: Home): CommandAtWork | null {
  try {
    const { pid, command } = JSON.parse(readFileSync(home.workFile, "utf8")) as Partial<CommandAtWork>;
    if (typeof pid !== "number" || typeof command !== "string") return null;
    process.kill(pid, 0);
    return { pid, command };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM" ? { pid: 0, command: "a command" } : null;
  }
}

export function workText({ pid, command }: CommandAtWork): string {
  return `\`hookline ${command}\` (pid ${pid})`;
}
