import type { HooklineEvent } from "./event.ts";

/** The keys that every line begins with, in this order. */
export const LEADING = [
  "v",
  "id",
  "eventType",
  "phase",
  "occurredAtIso",
  "sessionId",
  "provider",
  "projectPath",
  "cwd",
  "agentId",
  "promptId",
  "toolUseId",
  "transcriptPath",
  "origin",
];

/** One event as one line of the log, without its newline. */
export function toLine(event: HooklineEvent): string {
  const first = LEADING.filter((key) => event[key] !== undefined).map((key) => [key, event[key]]);
  return JSON.stringify({ ...Object.fromEntries(first), ...event });
}
