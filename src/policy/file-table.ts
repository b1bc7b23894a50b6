import { expandBraces, matchesPart, matchesPath } from "./path-glob.ts";

/**
 * Files known by name, in any folder. A pattern is a name or the last parts of a path, in lower case: `mise.toml`,
 * `.circleci/**`. Patterns are indexed by their parts, so a long table costs little more than a short one.
 */
export interface FileTable {
  /** What kind of file it is, or null when it is not listed. `parts` are in lower case. */
  find(parts: readonly string[]): string | null;
  /** The same, but the first part must match the pattern's first part. */
  findFromStart(parts: readonly string[]): string | null;
  /** One path per pattern, to compare with a glob. */
  readonly samples: readonly SamplePath[];
}

/** The last names of a path, or of a folder with all its contents. */
export interface SamplePath {
  readonly names: readonly string[];
  readonly isFolder: boolean;
}

interface Pattern {
  readonly parts: readonly string[];
  readonly what: string;
}

/** Folders shared by many programs: removing one does not target a particular file. */
const SHARED_FOLDERS = new Set([".config", ".local", ".cache", ".var"]);

/**
 * Several patterns share an entry, separated by spaces; `?` stands for a space inside one. With `folders`, a hidden
 * folder counts as the files in it: replacing the folder replaces them.
 */
export function createFileTable(
  entries: readonly (readonly [string, string])[],
  options: { readonly folders: boolean } = { folders: false },
): FileTable {
  const matches = (pattern: readonly string[], parts: readonly string[], from: number): boolean =>
    matchesFrom(pattern, parts, from, options.folders);
  const patterns = entries.flatMap(([list, what]) =>
    list
      .split(/\s+/)
      .flatMap(expandBraces)
      .map((pattern) => ({ parts: pattern.split("/"), what })),
  );
  const { byName, bySecond, byFirstChar, byLastChar, byHead, byTail, others } = indexPatterns(patterns);
  const findIn = (list: readonly Pattern[] | undefined, parts: readonly string[], from: number) =>
    list?.find((each) => matches(each.parts, parts, from))?.what;
  const findAt = (parts: readonly string[], from: number): string | null => {
    const part = parts[from]!;
    const next = parts[from + 1];
    return (
      findIn(byName.get(part), parts, from) ??
      (next === undefined ? undefined : findIn(bySecond.get(next), parts, from)) ??
      findIn(byFirstChar.get(part[0]!), parts, from) ??
      findIn(byLastChar.get(part.at(-1)!), parts, from) ??
      findIn(others, parts, from) ??
      null
    );
  };
  return {
    find(parts) {
      for (const from of parts.keys()) {
        const found = findAt(parts, from);
        if (found !== null) return found;
      }
      return byEnds(parts.at(-1) ?? "", byHead, byTail);
    },
    findFromStart(parts) {
      if (parts.length === 0) return null;
      return findAt(parts, 0) ?? (parts.length === 1 ? byEnds(parts[0]!, byHead, byTail) : null);
    },
    samples: samplesOf(patterns),
  };
}

function samplesOf(patterns: readonly Pattern[]): readonly SamplePath[] {
  const samples = patterns.map(({ parts }) => ({
    names: parts.filter((part) => part !== "**").map((part) => part.replace(/\*+/g, "x")),
    isFolder: parts.at(-1) === "**",
  }));
  return [
    ...new Map(samples.map((sample) => [`${sample.names.join("/")} ${sample.isFolder}`, sample])).values(),
  ];
}

const WILD = /[*?[]/;

/**
 * A pattern with a wildcard in its first part is indexed by its second part; if that has one too, by the first part's
 * first or last literal character. A one-part pattern is indexed by its literal prefix or suffix.
 */
function indexPatterns(patterns: readonly Pattern[]) {
  const byName = new Map<string, Pattern[]>();
  const bySecond = new Map<string, Pattern[]>();
  const byFirstChar = new Map<string, Pattern[]>();
  const byLastChar = new Map<string, Pattern[]>();
  const byHead = new Map<string, Pattern[]>();
  const byTail = new Map<string, Pattern[]>();
  const others: Pattern[] = [];
  const add = (map: Map<string, Pattern[]>, key: string, pattern: Pattern): void => {
    map.set(key, [...(map.get(key) ?? []), pattern]);
  };
  for (const pattern of patterns) {
    const [first = "", second] = pattern.parts;
    const head = /^[^*?[]*/.exec(first)![0];
    const tail = first.slice(Math.max(...["*", "?", "]"].map((mark) => first.lastIndexOf(mark))) + 1);
    if (!WILD.test(first)) add(byName, first, pattern);
    else if (second !== undefined && !WILD.test(second)) add(bySecond, second, pattern);
    else if (second !== undefined && head !== "") add(byFirstChar, head[0]!, pattern);
    else if (second !== undefined && tail !== "") add(byLastChar, tail.at(-1)!, pattern);
    else if (second !== undefined) others.push(pattern);
    else if (head !== "" && head.length <= MAX_END_LENGTH) add(byHead, head, pattern);
    else if (tail !== "" && tail.length <= MAX_END_LENGTH) add(byTail, tail, pattern);
    else others.push(pattern);
  }
  return { byName, bySecond, byFirstChar, byLastChar, byHead, byTail, others };
}

const MAX_END_LENGTH = 64;

function byEnds(
  name: string,
  byHead: ReadonlyMap<string, readonly Pattern[]>,
  byTail: ReadonlyMap<string, readonly Pattern[]>,
): string | null {
  const isNamed = (each: Pattern): boolean => matchesPart(each.parts[0]!, name);
  for (let length = 1; length <= Math.min(name.length, MAX_END_LENGTH); length++) {
    const found =
      byHead.get(name.slice(0, length))?.find(isNamed) ?? byTail.get(name.slice(-length))?.find(isNamed);
    if (found !== undefined) return found.what;
  }
  return null;
}

function matchesFrom(
  pattern: readonly string[],
  parts: readonly string[],
  from: number,
  folders: boolean,
): boolean {
  const coversFolder = pattern.at(-1) === "**";
  if (!coversFolder && from + pattern.length < parts.length) return false;
  for (const [n, patternPart] of pattern.entries()) {
    if (patternPart === "**") return true;
    const part = parts[from + n];
    if (part === undefined) return folders && n > 0 && isOwnFolder(pattern[0]!);
    if (patternPart !== part && !(WILD.test(patternPart) && matchesPart(patternPart, part))) return false;
  }
  return from + pattern.length === parts.length;
}

/** A hidden folder of one program: removing it removes the files in it. */
function isOwnFolder(name: string): boolean {
  return name.startsWith(".") && !WILD.test(name) && !SHARED_FOLDERS.has(name);
}

/** Absolute paths, as globs: indexed by their first folder. Returns what a path is, or null. */
export function createPathTable(
  entries: readonly (readonly [string, string])[],
): (path: string) => string | null {
  const byFolder = new Map<string, (readonly [string, string])[]>();
  for (const [glob, what] of entries)
    for (const each of expandBraces(glob)) {
      const folder = firstFolder(each);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), [each, what]]);
    }
  return (path) => byFolder.get(firstFolder(path))?.find(([glob]) => matchesPath(glob, path))?.[1] ?? null;
}

function firstFolder(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path : path.slice(0, end);
}
