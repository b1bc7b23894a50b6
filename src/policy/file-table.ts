import { matchesPart, withoutBraces } from "./path-glob.ts";

/**
 * Files known by name, wherever they lie. A pattern is a name or the last parts of a path, in lower case: `mise.toml`,
 * `.circleci/**`. Patterns are looked up by their first part, so a long table costs little more than a short one.
 */
export interface FileTable {
  /** What a file is, or null when it is not listed. `parts` are in lower case. */
  find(parts: readonly string[]): string | null;
  /** The same for a file whose first part must be the pattern's. */
  findAtStart(parts: readonly string[]): string | null;
  /** One path for each pattern, to compare with a glob. */
  readonly samples: readonly SamplePath[];
}

/** The last names of a path, or of a folder with all that lies in it. */
export interface SamplePath {
  readonly names: readonly string[];
  readonly isFolder: boolean;
}

interface Pattern {
  readonly parts: readonly string[];
  readonly what: string;
}

/** Folders that belong to many programs: removing one says nothing about the file meant. */
const SHARED_FOLDERS = new Set([".config", ".local", ".cache", ".var"]);

/**
 * Several patterns share an entry, separated by blanks; `?` stands for a blank inside one. With `folders`, a hidden
 * folder counts as the files in it: whoever replaces the folder replaces them.
 */
export function createFileTable(
  entries: readonly (readonly [string, string])[],
  options: { readonly folders: boolean } = { folders: false },
): FileTable {
  const fits = (pattern: readonly string[], parts: readonly string[], from: number): boolean =>
    matchesFrom(pattern, parts, from, options.folders);
  const patterns = entries.flatMap(([list, what]) =>
    list
      .split(/\s+/)
      .flatMap(withoutBraces)
      .map((pattern) => ({ parts: pattern.split("/"), what })),
  );
  const { byName, byPrefix, bySuffix, others } = indexed(patterns);
  const at = (parts: readonly string[], from: number): string | null => {
    const part = parts[from]!;
    const found = byName.get(part)?.find((each) => fits(each.parts, parts, from));
    return (found ?? others.find((each) => fits(each.parts, parts, from)))?.what ?? null;
  };
  return {
    find(parts) {
      for (const from of parts.keys()) {
        const found = at(parts, from);
        if (found !== null) return found;
      }
      return byEnds(parts.at(-1) ?? "", byPrefix, bySuffix);
    },
    findAtStart: (parts) => (parts.length === 0 ? null : at(parts, 0)),
    samples: patterns.map(({ parts }) => ({
      names: parts.filter((part) => part !== "**").map((part) => part.replace(/\*+/g, "x")),
      isFolder: parts.at(-1) === "**",
    })),
  };
}

function indexed(patterns: readonly Pattern[]) {
  const byName = new Map<string, Pattern[]>();
  const byPrefix = new Map<string, string>();
  const bySuffix = new Map<string, string>();
  const others: Pattern[] = [];
  for (const pattern of patterns) {
    const [first = ""] = pattern.parts;
    const [, prefix] = /^([^*?[]+)\*$/.exec(first) ?? [];
    const [, suffix] = /^\*([^*?[]+)$/.exec(first) ?? [];
    if (!/[*?[]/.test(first)) byName.set(first, [...(byName.get(first) ?? []), pattern]);
    else if (pattern.parts.length > 1) others.push(pattern);
    else if (prefix !== undefined) byPrefix.set(prefix, pattern.what);
    else if (suffix !== undefined) bySuffix.set(suffix, pattern.what);
    else others.push(pattern);
  }
  return { byName, byPrefix, bySuffix, others };
}

const LONGEST_END = 64;

function byEnds(
  name: string,
  byPrefix: ReadonlyMap<string, string>,
  bySuffix: ReadonlyMap<string, string>,
): string | null {
  for (let length = 1; length <= Math.min(name.length, LONGEST_END); length++) {
    const found = byPrefix.get(name.slice(0, length)) ?? bySuffix.get(name.slice(-length));
    if (found !== undefined) return found;
  }
  return null;
}

function matchesFrom(
  pattern: readonly string[],
  parts: readonly string[],
  from: number,
  folders: boolean,
): boolean {
  const isOpen = pattern.at(-1) === "**";
  if (!isOpen && from + pattern.length < parts.length) return false;
  for (const [n, each] of pattern.entries()) {
    if (each === "**") return true;
    const part = parts[from + n];
    if (part === undefined)
      return folders && n > 0 && pattern[0]!.startsWith(".") && !SHARED_FOLDERS.has(pattern[0]!);
    if (each !== part && !(/[*?[]/.test(each) && matchesPart(each, part))) return false;
  }
  return from + pattern.length === parts.length;
}
