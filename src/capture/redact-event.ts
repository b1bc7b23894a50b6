import { formOfOutput } from "../agents/tool-call.ts";
import { isPlainObject, sortKeys } from "../event/canonical.ts";
import type { HooklineEvent, ToolPayload } from "../event/event.ts";
import { LEADING_KEYS, sortedOtherKeys } from "../event/line.ts";
import { stripPrivateTags } from "../privacy/private-tags.ts";
import { redactAndTruncate, redactText, redactValue } from "../privacy/redact.ts";
import { truncateSubject } from "./truncate-subject.ts";

/** The size limit of one input, patch or body in the log, after masking. */
const MAX_VALUE_CHARS = 256 * 1024;
/** A single string is cut to this before it is scanned: the middle of a 50 MB text is useless to readers. */
const MAX_SCANNED_CHARS = 2 * MAX_VALUE_CHARS;

/** Removes private parts and secrets from an event, then truncates it. Names, ids and times stay. */
export function redactEvent(event: HooklineEvent): HooklineEvent {
  const redacted: Record<string, unknown> = {};
  for (const key of LEADING_KEYS) {
    const value = event[key];
    if (value !== undefined) redacted[key] = value;
  }
  for (const key of sortedOtherKeys(event)) {
    const value = event[key];
    if (value === undefined || key in redacted) continue;
    if (key === "subject" && "toolName" in event) {
      redacted[key] = redactSubject(value);
      continue;
    }
    if (IDENTITY_KEYS.has(key) || typeof value !== "object") {
      const isText = typeof value === "string" && !IDENTITY_KEYS.has(key);
      redacted[key] = isText ? redactLong(value, AGENT_WRITTEN_KEYS.has(key)) : value;
    } else if (key === "payload") redacted[key] = redactPayload(value as ToolPayload);
    else
      redacted[key] = redactBody(value, {
        inOrder: key === "blocks",
        marks: isAgentWritten(key, value as object),
      });
  }
  return redacted as HooklineEvent;
}

const IDENTITY_KEYS = new Set([
  ...LEADING_KEYS,
  "batchKey",
  "messageId",
  "permissionId",
  "permissionMode",
  "effort",
]);

/** Written by an agent: a mark shows where private text was cut. */
const AGENT_WRITTEN_KEYS = new Set([
  "toolInput",
  "blocks",
  "lastAssistantMessage",
  "card",
  "envelope",
  "description",
]);

function isAgentWritten(key: string, value: object): boolean {
  return AGENT_WRITTEN_KEYS.has(key) && !(key === "envelope" && "type" in value && value.type === "user");
}

function redactPayload(payload: ToolPayload): ToolPayload {
  const redacted: Record<string, unknown> = {};
  for (const key of sortKeys(Object.keys(payload))) {
    const value = payload[key];
    if (value === undefined) continue;
    if (key === "toolName") redacted[key] = value;
    else if (key === "subject") redacted[key] = redactSubject(value);
    else if (key !== "toolOutput" && key !== "errorMessage")
      redacted[key] = redactBody(value, { inOrder: SORTED_PAYLOAD_KEYS.has(key), marks: true });
    else if (typeof value === "string")
      redacted[key] = redactAndTruncate(key === "toolOutput" ? formOfOutput(payload) : "other", value);
  }
  return redacted as ToolPayload;
}

function redactSubject(value: unknown): string | undefined {
  return typeof value === "string" ? truncateSubject(value, (text) => redactLong(text, true)) : undefined;
}

/** These are stored with sorted keys; sorting here avoids a second pass. */
const SORTED_PAYLOAD_KEYS = new Set(["toolInput", "metadata"]);

/** Redacts a part of an event as it is stored in the log. Idempotent. */
export function redactBody(
  value: unknown,
  { inOrder = false, marks = false }: { readonly inOrder?: boolean; readonly marks?: boolean } = {},
): unknown {
  if (typeof value === "string") return redactLong(value, marks);
  if (value === null || typeof value !== "object") return value;
  // JSON escapes one character as at most six, so a value this small fits without being measured.
  if (countChars(value) * 6 < MAX_VALUE_CHARS) return redactValue(value, inOrder, marks);
  return shorten(
    redactValue(
      mapStrings(value, (text) => toScannable(text, marks)),
      false,
      marks,
    ),
  );
}

function redactLong(text: string, marks: boolean): string {
  return headAndTail(redactText(toScannable(text, marks), marks), MAX_VALUE_CHARS);
}

/** Strips private parts first, from the whole text: one that opens in the cut middle would never close. */
function toScannable(text: string, marks: boolean): string {
  return text.length <= MAX_SCANNED_CHARS
    ? text
    : headAndTail(stripPrivateTags(text, marks).text, MAX_SCANNED_CHARS);
}

/** Shortens the long strings of a value further and further until the whole fits. */
function shorten(value: unknown): unknown {
  if (JSON.stringify(value).length <= MAX_VALUE_CHARS) return value;
  for (const limit of [64 * 1024, 16 * 1024, 4 * 1024, 1024, 256]) {
    const cut = mapStrings(value, (text) => headAndTail(text, limit));
    if (JSON.stringify(cut).length <= MAX_VALUE_CHARS)
      return isPlainObject(cut) ? { ...cut, $truncated: true } : cut;
  }
  return { $truncated: true, preview: headAndTail(JSON.stringify(value), 4 * 1024) };
}

/** Counts the characters of a value, keys included. */
function countChars(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length + 2;
  if (value === null || typeof value !== "object" || depth > 100) return 24;
  let chars = 2;
  for (const key in value)
    chars += key.length + 4 + countChars((value as Record<string, unknown>)[key], depth + 1);
  return chars;
}

const TRUNCATION_MARK = "\n...[TRUNCATED]...\n";

function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor((limit - TRUNCATION_MARK.length) / 2);
  return `${text.slice(0, half)}${TRUNCATION_MARK}${text.slice(-half)}`.toWellFormed();
}

function mapStrings(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === "string") return change(value);
  // Masking cuts off anything deeper anyway.
  if (value === null || typeof value !== "object" || depth > 100) return value;
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapStrings(inner, change, depth + 1)]),
  );
}
