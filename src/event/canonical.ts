/** JSON with sorted keys: equal values have equal text, whatever order their source wrote them in. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortedDeep(value)) ?? "null";
}

/** The same value with all keys in order. */
export function sortedDeep(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(sortedDeep);
  const object = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(object).sort())
    if (key !== "__proto__") ordered[key] = sortedDeep(object[key]);
  return ordered;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function sorted<T>(value: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
