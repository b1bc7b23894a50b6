import { isPlainObject, sortedDeep } from "../event/canonical.ts";
import type { HooklineEvent, ToolPayload } from "../event/event.ts";
import { contentHash } from "../event/ids.ts";

/** Inputs up to this size stand in the row; of larger ones it has a preview and the blob's hash. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARS = 1_000;

export interface StoredEvent {
  readonly event: HooklineEvent;
  readonly blobs: ReadonlyMap<string, string>;
}

/** Moves large inputs and patches out of an event into content-addressed blobs. Pure. */
export function toStored(event: HooklineEvent): StoredEvent {
  const blobs = new Map<string, string>();
  if (event.payload === undefined) return { event, blobs };
  const payload: ToolPayload = { ...event.payload };
  if (typeof payload.toolOutput === "string") payload.toolOutput = plainText(payload.toolOutput);
  for (const key of ["toolInput", "structuredPatch"]) {
    const value = payload[key];
    if (value === null || typeof value !== "object") continue;
    // One order of keys, whoever told it.
    const ordered = sortedDeep(value);
    const content = JSON.stringify(ordered);
    if (content.length <= INLINE_BYTES) {
      payload[key] = ordered;
      continue;
    }
    const hash = contentHash(content);
    blobs.set(hash, content);
    payload[key] = { ...preview(value), $blob: hash };
  }
  return { event: { ...event, payload }, blobs };
}

/** The blobs a stored event refers to. */
export function blobsOf(event: HooklineEvent): string[] {
  const hashes = [event.payload?.["toolInput"], event.payload?.["structuredPatch"]]
    .map((value) => (isPlainObject(value) ? value["$blob"] : undefined))
    .filter((hash) => typeof hash === "string");
  return [...new Set(hashes)].sort();
}

/** SQLite's text functions stop at NUL and stumble over half a surrogate pair; visible signs keep the rest. */
export function plainText(text: string): string {
  return text.replaceAll("\0", "\u2400").toWellFormed();
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
