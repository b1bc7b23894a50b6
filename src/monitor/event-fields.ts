import { isPlainObject } from "../event/canonical.ts";
import type { BackgroundTask, Terminal } from "./session-snapshot.ts";

/** Reads loosely typed fields; any other shape counts as missing. */

export function nonEmptyString(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function textOfBlocks(blocks: unknown): string | null {
  if (!isPlainObject(blocks)) return null;
  const texts = Object.values(blocks).map((block) =>
    isPlainObject(block) ? nonEmptyString(block["text"]) : null,
  );
  return texts.find((text) => text !== null) ?? null;
}

/** Excludes tasks that have ended. */
export function runningTasksIn(value: unknown): BackgroundTask[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isPlainObject).flatMap((task) => {
    const id = nonEmptyString(task["id"]);
    const status = nonEmptyString(task["status"]);
    if (id === null || (status !== null && status !== "running" && status !== "pending")) return [];
    return [
      {
        id,
        type: nonEmptyString(task["type"]),
        description: nonEmptyString(task["description"]) ?? nonEmptyString(task["command"]),
      },
    ];
  });
}

export function terminalOf(env: Record<string, unknown>): Terminal | null {
  const terminal: Terminal = {
    tmux: nonEmptyString(env["TMUX"]),
    tmuxPane: nonEmptyString(env["TMUX_PANE"]),
    program: nonEmptyString(env["TERM_PROGRAM"]),
    sessionId: nonEmptyString(env["TERM_SESSION_ID"]),
    sshTty: nonEmptyString(env["SSH_TTY"]),
  };
  return Object.values(terminal).some((value) => value !== null) ? terminal : null;
}

/** Null for a time outside the valid date range. */
export function toIso(ms: number): string | null {
  return Math.abs(ms) <= MAX_DATE_MS ? new Date(ms).toISOString() : null;
}

const MAX_DATE_MS = 8.64e15;
