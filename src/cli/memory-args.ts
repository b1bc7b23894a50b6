import { resolve } from "node:path";
import { AppError } from "../app-error.ts";
import { createProjectOf } from "../capture/project-of.ts";
import { toInteger } from "./parse-number.ts";

/** A project name as typed: the API accepts a path or the end of one, which "." is not. */
export function toProject(text: string | undefined): string | undefined {
  if (text === undefined) return text;
  // The trailing slash comes from shell completion.
  return /^\.{1,2}(\/|$)/.test(text) ? currentProject(resolve(text)) : text.replace(/(?<=[^/])\/+$/, "");
}

export function currentProject(folder = process.cwd()): string {
  return createProjectOf()(folder) ?? folder;
}

export function toId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(id)) return id;
  throw new AppError("usage", `invalid id "${text}"; \`hookline search\` lists item ids.`);
}

/** One or more ids, possibly separated by commas. */
export function toIds(texts: readonly string[]): number[] {
  return texts
    .flatMap((text) => text.split(","))
    .filter((text) => text !== "")
    .map(toId);
}

/** Like `toInteger`, as text for a query. */
export function toCountParam(
  flag: string,
  text: string | undefined,
  range: { readonly min: number; readonly max: number },
): string | undefined {
  return toInteger(flag, text, range)?.toString();
}

/** One of the allowed values; undefined when absent. */
export function toOneOf<T extends string>(
  flag: string,
  text: string | undefined,
  words: readonly T[],
): T | undefined {
  if (text === undefined || (words as readonly string[]).includes(text)) return text as T | undefined;
  throw new AppError("usage", `--${flag} must be one of ${words.join(", ")}, not "${text}".`);
}

/** A query string of the values that are set. */
export function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(present).toString();
}
