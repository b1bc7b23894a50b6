/** JSON with sorted keys: equal values have equal text, whatever their original key order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(toSortedDeep(value)) ?? "null";
}

/** The same value with all keys sorted; returns the value itself if they already are. */
export function toSortedDeep(value: unknown): unknown {
  return isSortedDeep(value) ? value : sortDeep(value);
}

function isSortedDeep(value: unknown): boolean {
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isSortedDeep);
  let last = "";
  for (const key in value) {
    if (key < last || key === "__proto__") return false;
    if (!isSortedDeep((value as Record<string, unknown>)[key])) return false;
    last = key;
  }
  return true;
}

function sortDeep(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sortDeep);
  const object = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const key of sortKeys(Object.keys(object)))
    if (key !== "__proto__") ordered[key] = sortDeep(object[key]);
  return ordered;
}

/** Sorts in place. Insertion sort is several times faster than `sort` for the few keys of an object. */
export function sortKeys(keys: string[]): string[] {
  if (keys.length > INSERTION_SORT_MAX_KEYS) return keys.sort();
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at]!;
    let to = at;
    for (; to > 0 && keys[to - 1]! > key; to--) keys[to] = keys[to - 1]!;
    keys[to] = key;
  }
  return keys;
}

const INSERTION_SORT_MAX_KEYS = 16;

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function withSortedKeys<T>(value: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
