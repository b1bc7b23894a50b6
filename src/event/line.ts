import { sortKeys } from "./canonical.ts";
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

/** Whether it was put together in this order (`redactEvent` does so for every event on its way to the log). */
export function isInOrder(event: HooklineEvent): boolean {
  let at = -1;
  let passed = false;
  for (const key in event) {
    const place = PLACES.get(key);
    if (place === undefined) passed = true;
    else if (passed || place <= at) return false;
    else at = place;
  }
  return true;
}

/** The keys that follow them, sorted. */
export function otherKeys(event: HooklineEvent): string[] {
  return sortKeys(Object.keys(event).filter((key) => !PLACES.has(key)));
}

const PLACES = new Map(LEADING.map((key, place) => [key, place]));

/** One event as one line of the log, without its newline. */
export function toLine(event: HooklineEvent): string {
  if (isInOrder(event)) return JSON.stringify(event);
  const line: Record<string, unknown> = {};
  for (const key of LEADING) if (event[key] !== undefined) line[key] = event[key];
  // Keys that are there already keep their place.
  return JSON.stringify(Object.assign(line, event));
}
