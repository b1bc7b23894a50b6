import { isPlainObject } from "../event/canonical.ts";
import type { BackgroundTask, Terminal } from "./session-snapshot.ts";

/** What the monitor reads of loose fields; anything of another shape is nothing. */

export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function textOfBlocks(blocks: unknown): string | null {
  if (!isPlainObject(blocks)) return null;
  const words = Object.values(blocks).map((block) => (isPlainObject(block) ? text(block["text"]) : null));
  return words.find((word) => word !== null) ?? null;
}

/** Those that still run. */
export function tasksOf(value: unknown): BackgroundTask[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isPlainObject).flatMap((task) => {
    const id = text(task["id"]);
    const status = text(task["status"]);
    if (id === null || (status !== null && status !== "running" && status !== "pending")) return [];
    return [
      { id, type: text(task["type"]), description: text(task["description"]) ?? text(task["command"]) },
    ];
  });
}

export function terminalOf(env: Record<string, unknown>): Terminal | null {
  const terminal: Terminal = {
    tmux: text(env["TMUX"]),
    tmuxPane: text(env["TMUX_PANE"]),
    program: text(env["TERM_PROGRAM"]),
    sessionId: text(env["TERM_SESSION_ID"]),
    sshTty: text(env["SSH_TTY"]),
  };
  return Object.values(terminal).some((value) => value !== null) ? terminal : null;
}

/** Null for a time that no calendar has. */
export function isoOf(ms: number): string | null {
  return Math.abs(ms) <= MOST_MS ? new Date(ms).toISOString() : null;
}

const MOST_MS = 8.64e15;
