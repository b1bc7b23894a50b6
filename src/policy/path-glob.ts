import { giveUp, spend } from "./work.ts";

/** Globs of paths and of texts. Our own implementation, so that no pattern in a rule can be slow. */

/** `*`, `?`, `[…]` within one part of a path; `**` for any number of parts; `{a,b}`. */
export function matchesPath(glob: string, path: string): boolean {
  const parts = partsOfPath(path);
  return partsOfGlob(glob).some((each) => matchesParts(each, parts));
}

/** The last path's parts: one path is matched against a whole table. */
let last: { readonly path: string; readonly parts: readonly string[] } = { path: "", parts: [] };

function partsOfPath(path: string): readonly string[] {
  if (last.path !== path) last = { path, parts: splitPath(path) };
  return last.parts;
}

/** Parsed globs: the policy's tables are matched for every path. */
const globCache = new Map<string, readonly (readonly string[])[]>();
const MAX_CACHED = 1_000;

function partsOfGlob(glob: string): readonly (readonly string[])[] {
  const cached = globCache.get(glob);
  if (cached !== undefined) return cached;
  const parts = expandBraces(glob).map(splitPath);
  if (globCache.size < MAX_CACHED) globCache.set(glob, parts);
  return parts;
}

/** `*` matches anything, including spaces and slashes. Nothing else is special. */
export function matchesText(pattern: string, text: string): boolean {
  return matchesWild(pattern, text, (at) => ({ ok: (char) => char === pattern[at], next: at + 1 }));
}

function splitPath(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function matchesParts(glob: readonly string[], path: readonly string[]): boolean {
  spend(6);
  // The first and last characters of a glob rule out most paths.
  const first = glob[0];
  if (first !== undefined && first !== "**" && !mayStart(first, path[0] ?? "")) return false;
  const end = glob.at(-1);
  if (end !== undefined && end !== "**" && !matchesPart(end, path.at(-1) ?? "")) return false;
  // The parts of the glob that may come next, after each part of the path.
  let states = reach(glob, new Set([0]));
  for (const part of path) {
    spend(3 + 3 * states.size);
    const next = new Set<number>();
    for (const state of states) {
      if (glob[state] === "**") next.add(state);
      else if (glob[state] !== undefined && matchesPart(glob[state], part)) next.add(state + 1);
    }
    states = reach(glob, next);
    if (states.size === 0) return false;
  }
  return states.has(glob.length);
}

function reach(glob: readonly string[], states: Set<number>): Set<number> {
  for (const state of states) if (glob[state] === "**") states.add(state + 1);
  return states;
}

/** Whether the first character of a part allows a match. */
function mayStart(glob: string, part: string): boolean {
  const first = glob.charCodeAt(0);
  return first === STAR || first === ANY || first === SET || first === part.charCodeAt(0);
}

const [STAR, ANY, SET] = [..."*?["].map((char) => char.charCodeAt(0)) as [number, number, number];

export function matchesPart(glob: string, part: string): boolean {
  // Cheaper than the walk below, and almost always sufficient.
  if (glob !== "" && !mayStart(glob, part)) {
    spend(1);
    return false;
  }
  return matchesWild(glob, part, (at) => {
    if (glob[at] === "?") return { ok: () => true, next: at + 1 };
    if (glob[at] === "[") spend(glob.length - at);
    const set = glob[at] === "[" ? /^\[([!^]?)(\]?[^\]]*)\]/.exec(glob.slice(at)) : null;
    if (set !== null)
      return { ok: (char) => isInSet(set[2]!, char) === (set[1] === ""), next: at + set[0].length };
    return { ok: (char) => char === glob[at], next: at + 1 };
  });
}

type Token = (at: number) => { readonly ok: (char: string) => boolean; readonly next: number };

function matchesWild(pattern: string, text: string, tokenAt: Token): boolean {
  let at = 0;
  let star = -1;
  let starText = 0;
  for (let n = 0; n < text.length; ) {
    spend(1);
    if (pattern[at] === "*") {
      star = ++at;
      starText = n;
      continue;
    }
    const token = at < pattern.length ? tokenAt(at) : undefined;
    if (token?.ok(text[n]!)) {
      at = token.next;
      n++;
    } else if (star >= 0) {
      at = star;
      n = ++starText;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at >= pattern.length;
}

function isInSet(set: string, char: string): boolean {
  for (let at = 0; at < set.length; at++) {
    if (set[at + 1] === "-" && set[at + 2] !== undefined) {
      if (char >= set[at]! && char <= set[at + 2]!) return true;
      at += 2;
    } else if (set[at] === char) return true;
  }
  return false;
}

/** A path without trailing slashes. A regex that ends in `/+$` would take quadratic time. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

const MAX_ALTERNATIVES = 1_000;

/** One glob per brace alternative. Gives up rather than judge only some of them. */
export function expandBraces(glob: string): readonly string[] {
  let globs = [glob];
  while (globs.some((each) => /\{[^{}]*\}/.test(each))) {
    spend(globs.reduce((sum, each) => sum + 20 + 4 * each.length, 0));
    globs = globs.flatMap((each) => {
      const found = /\{([^{}]*)\}/.exec(each);
      if (found === null) return [each];
      const after = each.slice(found.index + found[0].length);
      return found[1]!.split(",").map((choice) => each.slice(0, found.index) + choice + after);
    });
    if (globs.length > MAX_ALTERNATIVES) giveUp();
  }
  return globs;
}
