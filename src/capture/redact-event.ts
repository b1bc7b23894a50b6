import { formOfOutput } from "../agents/tool-call.ts";
import { isPlainObject, sortKeys } from "../event/canonical.ts";
import type { HooklineEvent, ToolPayload } from "../event/event.ts";
import { LEADING, otherKeys } from "../event/line.ts";
import { stripPrivateTags } from "../privacy/private-tags.ts";
import { redactAndTruncate, redactText, redactValue } from "../privacy/redact.ts";
import { cutSubject } from "./cut-subject.ts";

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
    if (key === "subject" && "toolName" in event) {
      clean[key] = redactSubject(value);
      continue;
    }
    if (IDENTITY.has(key) || typeof value !== "object") {
      const isText = typeof value === "string" && !IDENTITY.has(key);
      clean[key] = isText ? redactLong(value, BY_AGENT.has(key)) : value;
    } else if (key === "payload") clean[key] = redactPayload(value as ToolPayload);
    else
      clean[key] = redactBody(value, { inOrder: key === "blocks", marks: isByAgent(key, value as object) });
  }
  return clean as HooklineEvent;
}

const IDENTITY = new Set([...LEADING, "batchKey", "messageId", "permissionId", "permissionMode", "effort"]);

/** What an agent wrote: where it is cut, a mark tells. */
const BY_AGENT = new Set(["toolInput", "blocks", "lastAssistantMessage", "card", "envelope", "description"]);

function isByAgent(key: string, value: object): boolean {
  return BY_AGENT.has(key) && !(key === "envelope" && "type" in value && value.type === "user");
}

function redactPayload(payload: ToolPayload): ToolPayload {
  const clean: Record<string, unknown> = {};
  for (const key of sortKeys(Object.keys(payload))) {
    const value = payload[key];
    if (value === undefined) continue;
    if (key === "toolName") clean[key] = value;
    else if (key === "subject") clean[key] = redactSubject(value);
    else if (key !== "toolOutput" && key !== "errorMessage")
      clean[key] = redactBody(value, { inOrder: SORTED.has(key), marks: true });
    else if (typeof value === "string")
      clean[key] = redactAndTruncate(key === "toolOutput" ? formOfOutput(payload) : "other", value);
  }
  return clean as ToolPayload;
}

function redactSubject(value: unknown): string | undefined {
  return typeof value === "string" ? cutSubject(value, (text) => redactLong(text, true)) : undefined;
}

/** The keys of these are sorted before they are stored: done here, it need not be done again. */
const SORTED = new Set(["toolInput", "metadata"]);

/** A part of an event as the log would hold it. Doing it again changes nothing. */
export function redactBody(
  value: unknown,
  { inOrder = false, marks = false }: { readonly inOrder?: boolean; readonly marks?: boolean } = {},
): unknown {
  if (typeof value === "string") return redactLong(value, marks);
  if (value === null || typeof value !== "object") return value;
  // JSON makes at most six characters of one: what is this small fits without being counted.
  if (weigh(value) * 6 < VALUE_CHARS) return redactValue(value, inOrder, marks);
  return shorten(
    redactValue(
      mapStrings(value, (text) => looked(text, marks)),
      false,
      marks,
    ),
  );
}

function redactLong(text: string, marks: boolean): string {
  return headAndTail(redactText(looked(text, marks), marks), VALUE_CHARS);
}

/** Private parts go first and from the whole: one that opens in a middle that is cut out would never close. */
function looked(text: string, marks: boolean): string {
  return text.length <= SCANNED_CHARS ? text : headAndTail(stripPrivateTags(text, marks).text, SCANNED_CHARS);
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
