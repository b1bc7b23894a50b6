import { posix } from "node:path";
import { type Locations, pathsOf } from "../locations.ts";
import { matchesPart } from "../path-glob.ts";
import type { FolderEntry } from "../request.ts";
import { type ShellWord, UNKNOWN } from "../shell/shell-reading.ts";
import { spend } from "../work.ts";

const MAX_MATCHES = 2_000;
export const MAX_GLOB_LENGTH = 1_000;

/** Whether a part of a glob matches a name. */
type MatchPart = (part: string, name: string) => boolean;

/**
 * What a glob matches, as the shell would write it: paths that start as the word does. Null where unknown. The user may
 * have configured their shell to match more than usual, which counts unless `matches` says otherwise.
 */
export function expandGlob(
  word: ShellWord,
  locations: Locations,
  cwds: readonly string[],
  matches: MatchPart = mayMatch,
): readonly string[] | null {
  // Classes, ranges and escapes differ by shell and locale: a bracket may be any one character, or is not read.
  if (word.text.length > MAX_GLOB_LENGTH || word.text.includes(UNKNOWN)) return null;
  if (/\\|\[[[:.=]|\[[^\]]*\/|[\s"'$`(){}<>|&;]/.test(word.text)) return null;
  const plain = word.text.replace(/\[[!^]?\]?[^\]]*\]/g, "?");
  // `*~x` is all but `x`, and `x#` any number of them, with zsh's extended globs.
  if (/[[#^]|(?!^)~/.test(plain)) return null;
  const parts = plain.split("/");
  let found: readonly string[] | null = [word.text.startsWith("/") ? "/" : ""];
  for (const [at, part] of parts.entries()) {
    if (part === "" || found === null) continue;
    found = expandPart(found, part, at === parts.length - 1, { locations, cwds, matches });
  }
  return found;
}

function expandPart(
  from: readonly string[],
  part: string,
  isLast: boolean,
  { locations, cwds, matches }: { locations: Locations; cwds: readonly string[]; matches: MatchPart },
): readonly string[] | null {
  if (!/[*?]/.test(part)) return from.map((path) => path + part + (isLast ? "" : "/"));
  const found: string[] = [];
  for (const path of from) {
    const names =
      part === "**"
        ? namesBelow(path, locations, cwds)
        : entriesIn(path, locations, cwds)
            ?.map((entry) => entry.name)
            .concat(".", "..");
    if (names == null) return null;
    spend(100 + 30 * names.length);
    if (part === "**" && !isLast) found.push(path);
    for (const name of names) {
      const isFound =
        part === "**" ? name.split("/").every((each) => matches("*", each)) : matches(part, name);
      if (isFound) found.push(path + name + (isLast ? "" : "/"));
    }
    if (found.length > MAX_MATCHES) return null;
  }
  return [...new Set(found)];
}

/** As a shell with default settings matches names. */
export function matchesByDefault(part: string, name: string): boolean {
  return matchesPart(part, name) && name.startsWith(".") === part.startsWith(".");
}

/** Shells can be set to ignore case and to match hidden names, and older ones match `..` with `.*`. */
function mayMatch(part: string, name: string): boolean {
  if (name.startsWith(".") && !part.startsWith(".") && !part.startsWith("*") && !part.startsWith("?"))
    return false;
  if (/^\.{1,2}$/.test(name) && !part.startsWith(".")) return false;
  return matchesPart(part.toLowerCase(), name.toLowerCase());
}

function entriesIn(
  path: string,
  locations: Locations,
  cwds: readonly string[],
): readonly FolderEntry[] | null {
  const entries: FolderEntry[] = [];
  for (const folder of pathsOf(path === "" ? "." : path, locations, cwds)) {
    const listing = locations.world.entries?.(folder) ?? "unknown";
    if (listing === "unknown") return null;
    if (listing !== "no folder") entries.push(...listing);
  }
  return entries;
}

/** Folders of third-party code are not scanned: they hold no secrets of this project. */
export const THIRD_PARTY_FOLDER =
  /^(?:node_modules|\.git|\.venv|venv|vendor|target|__pycache__|site-packages|\.tox|\.next)$/;

/** Everything that `**` matches, without following links. */
function namesBelow(path: string, locations: Locations, cwds: readonly string[]): readonly string[] | null {
  const names: string[] = [];
  const pending = [""];
  for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
    const entries = entriesIn(path + inner, locations, cwds);
    if (entries === null) return null;
    for (const { name, kind } of entries) {
      names.push(posix.join(inner, name));
      if (kind === "folder" && !THIRD_PARTY_FOLDER.test(name)) pending.push(`${posix.join(inner, name)}/`);
    }
    if (names.length > MAX_MATCHES) return null;
  }
  return names;
}
