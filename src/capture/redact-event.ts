import { isPlainObject, sortKeys } from "../event/canonical.ts";
import type { HooklineEvent, ToolPayload } from "../event/event.ts";
import { LEADING, otherKeys } from "../event/line.ts";
import { stripPrivateTags } from "../privacy/private-tags.ts";
import { redactAndTruncate, redactText, redactValue } from "../privacy/redact.ts";

/** The most that one input, patch or body may take in the log, after masking. */
const VALUE_CHARS = 256 * 1024;
/** A single string is cut to this before it is looked through: nobody reads the middle of fifty megabytes. */
const SCANNED_CHARS = 2 * VALUE_CHARS;

/** Cuts private parts and secrets out of an event, then what is too long. Names, ids and times stay as they are. */
export function redactEvent(event: HooklineEvent): HooklineEvent {
  const clean: Record<string, unknown> = {};
  for (const key of LEADING) {
    const value = event[key];
    if (value !== undefined) clean[key] = value;
  }
  for (const key of otherKeys(event)) {
    const value = event[key];
    if (value === undefined || key in clean) continue;
    if (IDENTITY.has(key) || typeof value !== "object") {
      clean[key] = typeof value === "string" && !IDENTITY.has(key) ? redactLong(value) : value;
    } else if (key === "payload") clean[key] = redactPayload(value as ToolPayload);
    else clean[key] = redactBody(value, key === "blocks");
  }
  return clean as HooklineEvent;
}

const IDENTITY = new Set([...LEADING, "batchKey", "messageId", "permissionId", "permissionMode", "effort"]);

function redactPayload(payload: ToolPayload): ToolPayload {
  const clean: Record<string, unknown> = {};
  for (const key of sortKeys(Object.keys(payload))) {
    const value = payload[key];
    if (value === undefined) continue;
    if (key === "toolName") clean[key] = value;
    else if (key !== "toolOutput" && key !== "errorMessage") clean[key] = redactBody(value, SORTED.has(key));
    else if (typeof value === "string")
      clean[key] = redactAndTruncate(key === "toolOutput" ? (payload.toolName ?? "") : "", value);
  }
  return clean as ToolPayload;
}

/** The keys of these are sorted before they are stored: done here, it need not be done again. */
const SORTED = new Set(["toolInput", "metadata"]);

/** A part of an event as the log would hold it. Doing it again changes nothing. */
export function redactBody(value: unknown, inOrder = false): unknown {
  if (typeof value === "string") return redactLong(value);
  if (value === null || typeof value !== "object") return value;
  // JSON makes at most six characters of one: what is this small fits without being counted.
  if (weigh(value) * 6 < VALUE_CHARS) return redactValue(value, inOrder);
  return shorten(redactValue(mapStrings(value, looked)));
}

function redactLong(text: string): string {
  return headAndTail(redactText(looked(text)), VALUE_CHARS);
}

/** Private parts go first and from the whole: one that opens in a middle that is cut out would never close. */
function looked(text: string): string {
  return text.length <= SCANNED_CHARS ? text : headAndTail(stripPrivateTags(text).text, SCANNED_CHARS);
}

/** Shortens the long strings of a value, more and more, until the whole fits. */
function shorten(value: unknown): unknown {
  if (JSON.stringify(value).length <= VALUE_CHARS) return value;
  for (const limit of [64 * 1024, 16 * 1024, 4 * 1024, 1024, 256]) {
    const cut = mapStrings(value, (text) => headAndTail(text, limit));
    if (JSON.stringify(cut).length <= VALUE_CHARS)
      return isPlainObject(cut) ? { ...cut, $truncated: true } : cut;
  }
  return { $truncated: true, preview: headAndTail(JSON.stringify(value), 4 * 1024) };
}

/** The characters of a value, keys included. */
function weigh(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (value === null || typeof value !== "object" || depth > 100) return 24;
  let chars = 2;
  for (const key in value)
    chars += key.length + 4 + weigh((value as Record<string, unknown>)[key], depth + 1);
  return chars;
}

const MARK = "\n...[TRUNCATED]...\n";

function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - MARK.length) / 2);
  return `${text.slice(0, half)}${MARK}${text.slice(-half)}`.toWellFormed();
}

function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  // What is deeper than this, the masking cuts off anyway.
  if (value === null || typeof value !== "object" || depth > 100) return value;
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change, depth + 1)]),
  );
}
