import { isPlainObject, toSortedDeep } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import { normalizeEvent } from "../event/merge.ts";

/** Inputs up to this size are stored in the row; larger ones as a preview and the blob's hash. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARS = 1_000;

export interface StoredEvent {
  readonly event: HooklineEvent;
  readonly blobs: ReadonlyMap<string, string>;
}

/** Normalizes an event and moves large inputs and patches to content-addressed blobs. Pure. */
export function toStoredEvent(report: HooklineEvent): StoredEvent {
  const event = normalizeEvent(report);
  const { payload } = event;
  if (!isPlainObject(payload)) return { event, blobs: NO_BLOBS };
  let blobs: Map<string, string> | undefined;
  const changed: Record<string, unknown> = {};
  let isChanged = false;
  const change = (key: string, value: unknown): void => {
    if (value === payload[key]) return;
    changed[key] = value;
    isChanged = true;
  };
  if (typeof payload.toolOutput === "string") change("toolOutput", sqlSafeText(payload.toolOutput));
  for (const key of BLOB_FIELDS) {
    const value = payload[key];
    if (value === null || typeof value !== "object") continue;
    // The same key order, whatever the source.
    const ordered = toSortedDeep(value);
    const content = isShort(value) ? "" : JSON.stringify(ordered);
    if (content.length <= INLINE_BYTES) {
      change(key, ordered);
      continue;
    }
    const hash = contentHash(content);
    blobs ??= new Map();
    blobs.set(hash, content);
    change(key, { ...preview(value), $blob: hash });
  }
  // Existing keys keep their position.
  const stored = isChanged ? { ...event, payload: { ...payload, ...changed } } : event;
  return { event: stored, blobs: blobs ?? NO_BLOBS };
}

const BLOB_FIELDS = ["toolInput", "structuredPatch"];

function isShort(value: object): boolean {
  return remainingChars(value, INLINE_BYTES / MAX_ESCAPED_CHARS) >= 0;
}

/** JSON escapes one character with at most six. */
const MAX_ESCAPED_CHARS = 6;

/**
 * Subtracts the JSON length of a value from a budget; negative if longer. Avoids serializing short values.
 */
function remainingChars(value: unknown, chars: number): number {
  if (typeof value === "string") return chars - value.length - 2;
  if (value === null || typeof value !== "object") return chars - 24;
  let remaining = chars - 2;
  for (const key in value) {
    if (remaining < 0) return remaining;
    remaining = remainingChars((value as Record<string, unknown>)[key], remaining - key.length - 4);
  }
  return remaining;
}

const NO_BLOBS: ReadonlyMap<string, string> = new Map();

/** The hashes of blobs a stored event refers to. */
export function blobsOf(event: HooklineEvent): string[] {
  const hashes = [event.payload?.["toolInput"], event.payload?.["structuredPatch"]]
    .map((value) => (isPlainObject(value) ? value["$blob"] : undefined))
    .filter((hash) => typeof hash === "string");
  return [...new Set(hashes)].sort();
}

/**
 * SQLite's text functions stop at NUL and mishandle half a surrogate pair, so both become visible symbols.
 */
export function sqlSafeText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "\u2400") : text).toWellFormed();
}

function preview(value: object): Record<string, unknown> {
  if (Array.isArray(value)) return {};
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (typeof inner === "string")
      return [key, inner.length > PREVIEW_CHARS ? `${inner.slice(0, PREVIEW_CHARS).toWellFormed()}…` : inner];
    if (inner === null || typeof inner !== "object") return [key, inner];
    return [key, JSON.stringify(inner).length > PREVIEW_CHARS ? "…" : inner];
  });
  return Object.fromEntries(entries.slice(0, 50).sort(([a], [b]) => (a < b ? -1 : 1)));
}
