import { sortKeys } from "./canonical.ts";
import type { HooklineEvent } from "./event.ts";

/** The keys that every line starts with, in this order. */
export const LEADING_KEYS = [
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

/**
 * Whether the leading keys come first and in order. `redactEvent` ensures it for every event before the
 * log.
 */
export function hasCanonicalKeyOrder(event: HooklineEvent): boolean {
  let lastIndex = -1;
  let sawOtherKey = false;
  for (const key in event) {
    const index = LEADING_INDEX.get(key);
    if (index === undefined) sawOtherKey = true;
    else if (sawOtherKey || index <= lastIndex) return false;
    else lastIndex = index;
  }
  return true;
}

/** The keys that are not leading keys, sorted. */
export function sortedOtherKeys(event: HooklineEvent): string[] {
  return sortKeys(Object.keys(event).filter((key) => !LEADING_INDEX.has(key)));
}

const LEADING_INDEX = new Map(LEADING_KEYS.map((key, index) => [key, index]));

/** One event as one line of the log, without its newline. */
export function toLine(event: HooklineEvent): string {
  if (hasCanonicalKeyOrder(event)) return JSON.stringify(event);
  const line: Record<string, unknown> = {};
  for (const key of LEADING_KEYS) if (event[key] !== undefined) line[key] = event[key];
  // Keys that are already there keep their position.
  return JSON.stringify(Object.assign(line, event));
}
