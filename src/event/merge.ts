import { canonicalJson, isPlainObject, sortKeys, withSortedKeys } from "./canonical.ts";
import { type HooklineEvent, ORIGINS, type Origin } from "./event.ts";
import { hasCanonicalKeyOrder, LEADING_KEYS, sortedOtherKeys } from "./line.ts";

/**
 * Merges two reports of one fact field by field: the stronger origin wins, a known value beats an unknown
 * one. Commutative, associative and idempotent, so the order of arrival never matters.
 */
export function mergeEvents(a: HooklineEvent, b: HooklineEvent): HooklineEvent {
  if (a.id !== b.id) throw new TypeError(`cannot merge events of different facts: ${a.id} and ${b.id}`);
  if (a.origin !== b.origin && isUnmerged(a) && isUnmerged(b)) {
    return strength(a.origin) > strength(b.origin) ? mergeUnmerged(a, b) : mergeUnmerged(b, a);
  }
  const left = flatten(a);
  const right = flatten(b);
  const fields = new Map<string, Field>();
  for (const [path, field] of left) fields.set(path, stronger(path, field, right.get(path)));
  for (const [path, field] of right) if (!left.has(path)) fields.set(path, field);
  return assemble(fields, strength(a.origin) >= strength(b.origin) ? a.origin : b.origin);
}

/** Whether the event has a single origin and its containers are objects: the common case. */
function isUnmerged(event: HooklineEvent): boolean {
  if (event.mergedFrom != null || !isObjectOrNullish(event.payload) || !isObjectOrNullish(event["blocks"]))
    return false;
  return isObjectOrNullish(event.payload?.metadata);
}

function isObjectOrNullish(value: unknown): boolean {
  return value === null || value === undefined || isPlainObject(value);
}

/** The common case at a fraction of the cost: two origins cannot tie, so nothing is compared. */
function mergeUnmerged(strong: HooklineEvent, weak: HooklineEvent): HooklineEvent {
  const mergedFrom: Record<string, Origin> = {};
  const mergeObjects = (a: Json, b: Json, prefix: string): Json => {
    const merged: Json = {};
    const put = (key: string, mine: unknown, other: unknown): void => {
      const path = prefix + key;
      if (BOOKKEEPING.has(path)) return;
      if (CONTAINERS.has(path)) {
        merged[key] = mergeObjects((mine ?? {}) as Json, (other ?? {}) as Json, `${path}.`);
      } else if (isKnown(other) && (!isKnown(mine) || isWeakStronger(path, strong.origin, weak.origin))) {
        merged[key] = other;
        mergedFrom[path] = weak.origin;
      } else merged[key] = mine;
    };
    for (const key in a) put(key, a[key], Object.hasOwn(b, key) ? b[key] : undefined);
    for (const key in b) if (!Object.hasOwn(a, key)) put(key, undefined, b[key]);
    return merged;
  };
  const merged = mergeObjects(strong, weak, "");
  merged["origin"] = strong.origin;
  if (Object.keys(mergedFrom).length > 0) merged["mergedFrom"] = withSortedKeys(mergedFrom);
  return normalizeEvent(merged as HooklineEvent);
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function isWeakStronger(path: string, strong: Origin, weak: Origin): boolean {
  return STRENGTH[path] !== undefined && strength(weak, path) > strength(strong, path);
}

type Json = Record<string, unknown>;

interface Field {
  readonly value: unknown;
  readonly origin: Origin;
}

/** Objects that are merged by field; every other object is one value. */
const CONTAINERS = new Set(["payload", "payload.metadata", "blocks"]);
const BOOKKEEPING = new Set(["origin", "mergedFrom", "__proto__"]);

/** Where the order of trust differs from ORIGINS: a batch and a transcript know best what text the model
 *  saw, and a batch only suspects that a call without its own hook failed. */
const STRENGTH: Readonly<Record<string, Partial<Record<Origin, number>>>> = {
  "payload.toolOutput": { hook: 0.5 },
  "payload.success": { batch: -1 },
  "payload.errorMessage": { batch: -1 },
};

function strength(origin: Origin, path = ""): number {
  return STRENGTH[path]?.[origin] ?? ORIGINS.indexOf(origin);
}

function stronger(path: string, a: Field, b: Field | undefined): Field {
  if (b === undefined) return a;
  const difference = strength(a.origin, path) - strength(b.origin, path);
  if (difference !== 0) return difference > 0 ? a : b;
  const [textA, textB] = [canonicalJson(a.value), canonicalJson(b.value)];
  if (textA === textB) return a;
  const first = textA < textB ? a : b;
  // Of two times, the earlier one is when the fact became known; otherwise any fixed choice will do.
  if (path === "occurredAtIso") return first;
  return first === a ? b : a;
}

function flatten(event: HooklineEvent): Map<string, Field> {
  const fields = new Map<string, Field>();
  const walk = (object: Record<string, unknown>, prefix: string): void => {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix + key;
      if (value === null || value === undefined || BOOKKEEPING.has(path)) continue;
      if (CONTAINERS.has(path) && isPlainObject(value)) walk(value, `${path}.`);
      else fields.set(path, { value, origin: event.mergedFrom?.[path] ?? event.origin });
    }
  };
  walk(event, "");
  return fields;
}

function assemble(fields: ReadonlyMap<string, Field>, origin: Origin): HooklineEvent {
  const event: Record<string, unknown> = { origin };
  const mergedFrom: Record<string, Origin> = {};
  for (const [path, field] of fields) {
    if (field.origin !== origin) mergedFrom[path] = field.origin;
    put(event, path, field.value);
  }
  if (Object.keys(mergedFrom).length > 0) event["mergedFrom"] = withSortedKeys(mergedFrom);
  return normalizeEvent(event as HooklineEvent);
}

const PREFIXES = ["payload.metadata.", "payload.", "blocks."];

function put(event: Record<string, unknown>, path: string, value: unknown): void {
  const container = PREFIXES.find((prefix) => path.startsWith(prefix));
  if (container === undefined) {
    event[path] = value;
    return;
  }
  let target = event;
  for (const key of container.slice(0, -1).split(".")) {
    const next = isPlainObject(target[key]) ? target[key] : {};
    target[key] = next;
    target = next;
  }
  target[path.slice(container.length)] = value;
}

/**
 * The normal form of an event before it is compared or stored, equal to merging it with itself: one key
 * order, nothing unknown, so that equal facts have equal text. An event already in normal form is returned as
 * is, nested values included: do not mutate either.
 */
export function normalizeEvent(event: HooklineEvent): HooklineEvent {
  if (isNormal(event)) return event;
  const normal: Record<string, unknown> = {};
  for (const key of LEADING_KEYS) {
    const value = event[key];
    if (value !== null && value !== undefined) normal[key] = value;
    else if (key === "projectPath" || key === "cwd") normal[key] = null;
  }
  for (const key of sortedOtherKeys(event)) {
    if (key === "__proto__") continue;
    const value = CONTAINERS.has(key) ? normalContainer(key, event[key]) : event[key];
    if (value !== null && value !== undefined) normal[key] = value;
  }
  return normal as HooklineEvent;
}

const IS_LEADING: ReadonlySet<string> = new Set(LEADING_KEYS);

function isNormal(event: HooklineEvent): boolean {
  if (event.projectPath === undefined || event.cwd === undefined) return false;
  if (Object.getPrototypeOf(event) !== Object.prototype || !hasCanonicalKeyOrder(event)) return false;
  let last = "";
  for (const key in event) {
    const value = event[key];
    if (value === undefined || (value === null && key !== "projectPath" && key !== "cwd")) return false;
    if (IS_LEADING.has(key)) continue;
    if (key < last || key === "__proto__") return false;
    if (CONTAINERS.has(key) && !isNormalContainer(key, value)) return false;
    last = key;
  }
  return true;
}

function isNormalContainer(path: string, value: unknown): boolean {
  if (!isPlainObject(value)) return true;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let last = "";
  let isEmpty = true;
  for (const key in value) {
    const inner = value[key];
    if (inner === null || inner === undefined || key < last || key === "__proto__") return false;
    if (isMetadata(path, key) && !isNormalContainer("payload.metadata", inner)) return false;
    last = key;
    isEmpty = false;
  }
  return !isEmpty;
}

/** The only container inside another. */
function isMetadata(path: string, key: string): boolean {
  return key === "metadata" && path === "payload";
}

/** Returns undefined if no value inside is known. */
function normalContainer(path: string, value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const normal: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key of sortKeys(Object.keys(value))) {
    const inner = isMetadata(path, key) ? normalContainer("payload.metadata", value[key]) : value[key];
    if (inner === null || inner === undefined || key === "__proto__") continue;
    normal[key] = inner;
    isEmpty = false;
  }
  return isEmpty ? undefined : normal;
}
