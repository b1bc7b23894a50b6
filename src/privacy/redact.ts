/**
 * All content is redacted here before the log: private parts are cut, secrets masked. Pure and idempotent;
 * truncation (`truncate.ts`) comes afterwards, so that no secret is cut in half and missed.
 */
import type { ToolForm } from "../agents/tool-table.ts";
import { sortKeys } from "../event/canonical.ts";
import { stripPrivateTags } from "./private-tags.ts";
import { kindOfToken } from "./secret-formats.ts";
import { secretKey } from "./secret-keys.ts";
import { mark } from "./secret-scan.ts";
import { maskSecrets } from "./secrets.ts";
import { TRUNCATION_MARKER, truncateOutput } from "./truncate.ts";

/** Real tool inputs are a handful of levels deep; JSON.parse itself accepts thousands. */
const MAX_DEPTH = 100;

const MAX_SCANNED_CHARS = 1_048_576;

/** With `marks`, for text that an agent wrote, a mark replaces private text. */
export function redactText(text: string, marks = false): string {
  // Too short to hold a name, a separator and a value.
  if (text.length < MIN_SCANNED_CHARS) return text;
  if (text.length < MIN_CACHED_CHARS) return maskSecrets(stripPrivateTags(text, marks).text);
  const cache = marks ? markedCache : plainCache;
  const cached = cache.get(text);
  if (cached !== undefined) return cached;
  const redacted = maskSecrets(stripPrivateTags(text, marks).text);
  if (cache.size < MAX_CACHED_TEXTS) cache.set(text, redacted);
  return redacted;
}

/** Removes private and secret parts without a mark, for search terms that are not stored. */
export function withoutSecrets(text: string): string {
  return maskSecrets(stripPrivateTags(text).text).replace(REDACTION_MARKS, " ");
}

const REDACTION_MARKS = /\[REDACTED:[a-z0-9-]+\]/g;

/** One call is reported up to four times in a row with the same input, which is scanned only once. */
const plainCache = new Map<string, string>();
const markedCache = new Map<string, string>();
const MIN_SCANNED_CHARS = 5;
const MIN_CACHED_CHARS = 16;
const MAX_CACHED_TEXTS = 2_000;

/** Call when a batch is done: raw text must not be retained, not even in memory. */
export function clearRedactionCache(): void {
  plainCache.clear();
  markedCache.clear();
}

/**
 * Redacts private parts and secrets first, then truncates a tool's output, so that no half of a secret is
 * left over. In a text over 1 MB only the two ends are searched for secrets, but all of it for private tags.
 */
export function redactAndTruncate(form: ToolForm, text: string): string {
  const visible = stripPrivateTags(text).text;
  if (visible.length <= MAX_SCANNED_CHARS) return truncateOutput(form, maskSecrets(visible));
  const [head, tail] = ends(visible, MAX_SCANNED_CHARS / 2);
  return truncateOutput(form, maskSecrets(head) + TRUNCATION_MARKER + maskSecrets(tail));
}

/**
 * Redacts a JSON value, deeply, into a new one: strings as text, and any value under a key that names a
 * secret (`password`, `api_key`, `Authorization` …) completely, whatever it looks like. Can sort the
 * outermost keys in the same pass, if they are few and none is masked.
 */
export function redactValue(value: unknown, sortsKeys = false, marks = false): unknown {
  return redactAt(value, 0, marks, sortsKeys);
}

/** Objects with more keys keep their original order. */
const MAX_SORTED_KEYS = 50;

function redactAt(value: unknown, depth: number, marks: boolean, sortsKeys = false): unknown {
  if (typeof value === "string") return redactText(value, marks);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[TOO DEEP]";
  if (Array.isArray(value)) return value.map((item) => redactAt(item, depth + 1, marks));
  const secretKind = namedSecret(value);
  const redact = (key: string, inner: unknown): unknown => {
    const kind = readKey(key, marks).kind ?? (key === "value" ? secretKind : undefined);
    const mask = kind === undefined ? undefined : maskWhole(inner, kind);
    return mask ?? redactAt(inner, depth + 1, marks);
  };
  const keys = Object.keys(value);
  const object = value as Record<string, unknown>;
  if (keys.every((key) => readKey(key, marks).masked === key && key !== "__proto__")) {
    const plain: Record<string, unknown> = {};
    if (sortsKeys && keys.length <= MAX_SORTED_KEYS) sortKeys(keys);
    for (const key of keys) plain[key] = redact(key, object[key]);
    return plain;
  }
  const usedNames = new Set<string>();
  // fromEntries defines properties instead of assigning them: a `__proto__` key stays a key.
  return Object.fromEntries(
    keys.map((key) => [uniqueName(readKey(key, marks).masked, usedNames), redact(key, object[key])]),
  );
}

interface KeyReading {
  readonly kind: string | undefined;
  readonly masked: string;
}

/** Tool inputs use few distinct keys. */
const keyReadings = new Map<string, KeyReading>();
const MAX_CACHED_KEYS = 2_000;

function readKey(key: string, marks: boolean): KeyReading {
  let reading = keyReadings.get(key);
  if (reading === undefined) {
    reading = { kind: secretKey(key)?.kind, masked: maskSecrets(stripPrivateTags(key, marks).text) };
    // A key that is itself secret or private is not cached.
    if (reading.masked === key && key.length <= 64 && keyReadings.size < MAX_CACHED_KEYS)
      keyReadings.set(key, reading);
  }
  return reading;
}

/** The mark for a value that can be a secret, undefined for one that cannot (booleans, objects, ""). */
function maskWhole(value: unknown, kind: string): string | undefined {
  if (typeof value === "number") return mark(kind);
  if (typeof value === "string" && value !== "") {
    return /^\[REDACTED:[a-z0-9-]+\]$/.test(value) ? value : mark(kindOfToken(value) ?? kind);
  }
  const isListOfScalars =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "string" || typeof item === "number");
  return isListOfScalars ? mark(kind) : undefined;
}

/** `{ "name": "DB_PASSWORD", "value": "…" }`, as in container and CI settings. */
function namedSecret(value: object): string | undefined {
  if (!("value" in value)) return undefined;
  const name = "name" in value ? value.name : "key" in value ? value.key : undefined;
  return typeof name === "string" ? secretKey(name)?.kind : undefined;
}

/** Two masked keys of one object must not collide. */
function uniqueName(key: string, usedNames: Set<string>): string {
  let name = key;
  for (let n = 2; usedNames.has(name); n++) name = `${key} ${n}`;
  usedNames.add(name);
  return name;
}

/** The two ends of a very long text. Near the cut up to 4 KB are left out, up to the end of a line: a
 *  secret cut in half there would not be recognised. */
function ends(text: string, length: number): readonly [string, string] {
  const slack = 4_096;
  const head = text.slice(0, length);
  const tail = text.slice(-length);
  const lastBreak = Math.max(head.lastIndexOf("\n"), length - slack);
  const firstBreak = tail.indexOf("\n");
  return [
    head.slice(0, lastBreak),
    tail.slice(firstBreak >= 0 && firstBreak < slack ? firstBreak + 1 : slack),
  ];
}
