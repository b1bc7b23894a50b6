import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent, ToolPayload } from "../event/event.ts";
import { LEADING } from "../event/line.ts";
import { stripPrivateTags } from "../privacy/private-tags.ts";
import { redactAndTruncate, redactText, redactValue } from "../privacy/redact.ts";

/** The most that one input, patch or body may take in the log, after masking. */
const VALUE_CHARS = 256 * 1024;
/** A single string is cut to this before it is looked through: nobody reads the middle of fifty megabytes. */
const SCANNED_CHARS = 2 * VALUE_CHARS;

/** Cuts private parts and secrets out of an event, then what is too long. Names, ids and times stay as they are. */
export function redactEvent(event: HooklineEvent): HooklineEvent {
  const clean: Record<string, unknown> = {};
  for (const key of LEADING) if (event[key] !== undefined) clean[key] = event[key];
  for (const key of Object.keys(event)) {
    const value = event[key];
    if (value === undefined || key in clean) continue;
    if (IDENTITY.has(key) || typeof value !== "object") {
      clean[key] = typeof value === "string" && !IDENTITY.has(key) ? redactLong(value) : value;
    } else if (key === "payload") clean[key] = redactPayload(value as ToolPayload);
    else clean[key] = redactBody(value);
  }
  return clean as HooklineEvent;
}

const IDENTITY = new Set([...LEADING, "batchKey", "messageId", "permissionId", "permissionMode", "effort"]);

function redactPayload(payload: ToolPayload): ToolPayload {
  const { toolName, toolOutput, errorMessage } = payload;
  const clean: Record<string, unknown> = { toolName };
  for (const key of Object.keys(payload)) {
    if (key === "toolName" || key === "toolOutput" || key === "errorMessage") continue;
    const value = payload[key];
    if (value !== undefined) clean[key] = redactBody(value);
  }
  if (typeof toolOutput === "string") clean["toolOutput"] = redactAndTruncate(toolName ?? "", toolOutput);
  if (typeof errorMessage === "string") clean["errorMessage"] = redactAndTruncate("", errorMessage);
  return clean as ToolPayload;
}

function redactBody(value: unknown): unknown {
  if (typeof value === "string") return redactLong(value);
  if (value === null || typeof value !== "object") return value;
  const { chars, longest } = weigh(value);
  const masked = redactValue(longest > SCANNED_CHARS ? mapStrings(value, looked) : value);
  // JSON makes at most six characters of one: what is this small fits without being counted.
  return chars * 6 < VALUE_CHARS ? masked : shorten(masked);
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

/** The characters of a value, keys included, and of its longest string. */
function weigh(value: unknown, depth = 0): { chars: number; longest: number } {
  if (typeof value === "string") return { chars: value.length + 2, longest: value.length };
  if (value === null || typeof value !== "object" || depth > 100) return { chars: 24, longest: 0 };
  let chars = 2;
  let longest = 0;
  for (const key in value) {
    const inner = weigh((value as Record<string, unknown>)[key], depth + 1);
    chars += key.length + 4 + inner.chars;
    if (inner.longest > longest) longest = inner.longest;
  }
  return { chars, longest };
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
