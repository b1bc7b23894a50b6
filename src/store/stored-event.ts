import { isPlainObject, sortedDeep } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";
import { normalizeEvent } from "../event/merge.ts";

/** Inputs up to this size stand in the row; of larger ones it has a preview and the blob's hash. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARS = 1_000;

export interface StoredEvent {
  readonly event: HooklineEvent;
  readonly blobs: ReadonlyMap<string, string>;
}

/** The normal form of an event, with large inputs and patches moved out into content-addressed blobs. Pure. */
export function toStored(telling: HooklineEvent): StoredEvent {
  const event = normalizeEvent(telling);
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
  if (typeof payload.toolOutput === "string") change("toolOutput", plainText(payload.toolOutput));
  for (const key of MOVABLE) {
    const value = payload[key];
    if (value === null || typeof value !== "object") continue;
    // One order of keys, whoever told it.
    const ordered = sortedDeep(value);
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
  // Keys that are there keep their place.
  const stored = isChanged ? { ...event, payload: { ...payload, ...changed } } : event;
  return { event: stored, blobs: blobs ?? NO_BLOBS };
}

const MOVABLE = ["toolInput", "structuredPatch"];

function isShort(value: object): boolean {
  return restOf(value, INLINE_BYTES / WORST_ESCAPE) >= 0;
}

/** JSON makes at most six characters of one. */
const WORST_ESCAPE = 6;

/** What is left of a number of characters after a value's; negative when it is longer. Spares writing out what is short. */
function restOf(value: unknown, chars: number): number {
  if (typeof value === "string") return chars - value.length - 2;
  if (value === null || typeof value !== "object") return chars - 24;
  let rest = chars - 2;
  for (const key in value) {
    if (rest < 0) return rest;
    rest = restOf((value as Record<string, unknown>)[key], rest - key.length - 4);
  }
  return rest;
}

const NO_BLOBS: ReadonlyMap<string, string> = new Map();

/** The blobs a stored event refers to. */
export function blobsOf(event: HooklineEvent): string[] {
  const hashes = [event.payload?.["toolInput"], event.payload?.["structuredPatch"]]
    .map((value) => (isPlainObject(value) ? value["$blob"] : undefined))
    .filter((hash) => typeof hash === "string");
  return [...new Set(hashes)].sort();
}

/** SQLite's text functions stop at NUL and stumble over half a surrogate pair; visible signs keep the rest. */
export function plainText(text: string): string {
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
