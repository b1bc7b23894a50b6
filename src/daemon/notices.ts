import { AppError } from "../app-error.ts";
import { namedPid } from "../files/pid-file.ts";
import type { Home } from "../home.ts";
import type { RepairReport } from "../log/log.ts";
import { StoreError } from "../store/store-error.ts";
import { commandAtWork, workText } from "./await-turn.ts";

/** Who holds the lock, and what for. */
export function whoHolds(home: Home): string {
  const work = commandAtWork(home);
  if (work !== null) return `${workText(work)} works in ${home.dir}; run this again when it has ended`;
  const pid = namedPid(home);
  return `${pid === null ? "another process of hookline" : `a daemon (pid ${pid})`} already serves ${home.dir}`;
}

const FRAMES = 6;

/**
 * An error for the daemon's log, in one line. The message only where it is ours, the system's or the database's:
 * others quote what they choked on (a JSON parser its text), and that may be what somebody said to an agent.
 */
export function tellError(error: unknown): string {
  if (error instanceof AppError || error instanceof StoreError) return error.message;
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  // The second is of the daemon's lock, a SQLite file of its own.
  const { errno, errcode } = error as { errno?: unknown; errcode?: unknown };
  if (typeof errno === "number" || typeof errcode === "number") return error.message;
  const frames = [...(error.stack ?? "").matchAll(/^ {4}at (.+)$/gm)].slice(0, FRAMES);
  return [error.name, ...frames.map((frame) => frame[1]!)].join(" < ");
}

/** What a person should know of a damaged part. */
export function damageText({ part, restored, aside }: RepairReport): string {
  const text = `segment ${part} of the log was damaged; restored ${restored} events`;
  if (aside === null) return `${text}, all that the database had of it`;
  return `${text}. The database had not read all of it, so some may be lost: the damaged file is kept for 7 days as ${aside}`;
}
