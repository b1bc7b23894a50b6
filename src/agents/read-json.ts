import { isPlainObject } from "../event/canonical.ts";

/** Total readers for JSON of unknown shape: a missing value, or one of another type, is undefined. */
export type Json = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Json {
  return isPlainObject(value) ? value : {};
}

export function text(object: Json, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}

export function nonEmpty(object: Json, key: string): string | undefined {
  return text(object, key) || undefined;
}

export function number(object: Json, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function boolean(object: Json, key: string): boolean | undefined {
  const value = object[key];
  return typeof value === "boolean" ? value : undefined;
}

export function list(object: Json, key: string): readonly unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** The fields that were not read: stored under `extra`, so that a newer agent's data is not lost. */
export function unknownFields(object: Json, known: (key: string) => boolean): Json | undefined {
  const rest = Object.entries(object).filter(([key]) => !known(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Looks up an untrusted name: `constructor` is in every object's prototype, but in no table of ours. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
