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
  const line: Record<string, unknown> = {};
  for (const key of LEADING) if (event[key] !== undefined) line[key] = event[key];
  // Keys that are there already keep their place.
  return JSON.stringify(Object.assign(line, event));
}
