import { AppError } from "../app-error.ts";
import { readPidFile } from "../files/pid-file.ts";
import type { Home } from "../home.ts";
import type { RepairReport } from "../log/log.ts";
import { StoreError } from "../store/store-error.ts";
import { readRunningCommand, runningCommandText } from "./acquire-home.ts";

/** Which process holds the lock, and what for. */
export function lockHolderText(home: Home): string {
  const work = readRunningCommand(home);
  if (work !== null)
    return `${runningCommandText(work)} is running in ${home.dir}; try again when it has finished`;
  const pid = readPidFile(home);
  return `${pid === null ? "another hookline process" : `a daemon (pid ${pid})`} already serves ${home.dir}`;
}

const MAX_FRAMES = 6;

/**
 * An error for the daemon's log, in one line. Includes the message only if it is ours, the system's or the
 * database's: others quote their input (such as a JSON parser), which may be a user's prompt.
 */
export function errorText(error: unknown): string {
  if (error instanceof AppError || error instanceof StoreError) return error.message;
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  // `errcode` is set for the daemon's lock, a SQLite file of its own.
  const { errno, errcode } = error as { errno?: unknown; errcode?: unknown };
  if (typeof errno === "number" || typeof errcode === "number") return error.message;
  const frames = [...(error.stack ?? "").matchAll(/^ {4}at (.+)$/gm)].slice(0, MAX_FRAMES);
  return [error.name, ...frames.map((frame) => frame[1]!)].join(" < ");
}

/** Describes a damaged part to the user. */
export function damageText({ part, restored, quarantinedPath }: RepairReport): string {
  const text = `segment ${part} of the log was damaged; restored ${restored} events`;
  if (quarantinedPath === null) return `${text}, everything the database had`;
  return `${text}. Events the database had not read may be lost; the damaged file is kept for 7 days as ${quarantinedPath}`;
}
