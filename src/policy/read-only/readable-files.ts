import { posix } from "node:path";
import { isInWorkspace, type Locations, pathsOf } from "../locations.ts";
import { expandBraces, matchesPart } from "../path-glob.ts";
import { holdsSecrets } from "../protected-files.ts";
import { spend } from "../work.ts";
import { MAX_GLOB_LENGTH, THIRD_PARTY_FOLDER } from "./globs.ts";
import { isUnignoredAbove, unignoresSecrets } from "./ignore-files.ts";
import { holdsPassword, isGitLog, isHarmlessGitPath, mayHoldPasswords } from "./programs/git-folder.ts";

/** Files outside every workspace that anyone may read. */
const PUBLIC_FILES =
  /^(?:-|\/dev\/(?:null|stdin)|\/etc\/(?:os-release|debian_version)|\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

/** The cost of listing a folder and checking a name in it, in units of work. */
const FOLDER_COST = 1_000;
const NAME_COST = 200;
/** For each glob that a name is compared with. */
const GLOB_COST = 40;

/** Longer paths are not worth the wait. */
const MAX_PATH_LENGTH = 1_024;

/** Not paths to the programs that get them, or read differently by other shells: `^x` is all but `x`. */
const NO_PATH = /^(?:=|@|file:)|(?:^|\/)\^|\u0000/;

/** Whether a program may report a path's existence, size and type. */
export function mayStatPath(text: string, places: Locations, cwds: readonly string[]): boolean {
  if (PUBLIC_FILES.test(text)) return true;
  if (text.length > MAX_PATH_LENGTH || NO_PATH.test(text)) return false;
  return isInWorkspace(text, places, cwds);
}

/** Whether a program may show a file's contents. */
export function mayReadFile(text: string, places: Locations, cwds: readonly string[]): boolean {
  return mayStatPath(text, places, cwds) && (text === "-" || !isSecret(text, places, cwds));
}

function isSecret(text: string, places: Locations, cwds: readonly string[]): boolean {
  return pathsOf(text, places, cwds).some(
    (path) => isSecretFile(path, places) || !isHarmlessGitPath(path, places),
  );
}

function isSecretFile(path: string, places: Locations): boolean {
  return (holdsSecrets(path, places) && !isGitLog(path, places)) || holdsPassword(path, places);
}

/** Which files of a tree are read. */
export interface TreeReadOptions {
  /** Whether names with a leading dot are skipped. */
  readonly skipsHidden?: boolean;
  /** Whether links are followed. */
  readonly followsLinks?: boolean;
  /** Only files whose names may match one of these globs. */
  readonly only?: readonly string[] | null;
  /** Files and folders whose names certainly match one of these are skipped. */
  readonly excluded?: readonly string[];
  readonly excludedFolders?: readonly string[];
  /** Whether it prints everything it reads, hidden files too: asked about for a whole workspace. */
  readonly printsAll?: boolean;
  /** Whether a space or a quote in a name splits it into other names. */
  readonly isSplitAtBlanks?: boolean;
}

/** Whether a program may show the contents of all files in a folder; same as `mayReadFile` for a file. */
export function mayReadTree(
  text: string,
  places: Locations,
  cwds: readonly string[],
  how: TreeReadOptions = {},
): boolean {
  if (!mayReadFile(text, places, cwds)) return false;
  return pathsOf(text, places, cwds).every((path) => {
    if (how.printsAll && places.workspace.includes(path)) return false;
    return isKnownOpen(path, places, how);
  });
}

/** A request may read the same tree many times. */
const walked = new WeakMap<Locations, Map<string, boolean>>();

function isKnownOpen(folder: string, places: Locations, how: TreeReadOptions): boolean {
  const known = walked.get(places) ?? new Map<string, boolean>();
  walked.set(places, known);
  const key = `${folder}\n${JSON.stringify(how)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = isOpen(folder, places, how);
  known.set(key, found);
  return found;
}

/** Whether a name may match one of the globs, whatever classes, escapes and case mean. */
function mayFit(globs: readonly string[], name: string): boolean {
  return (
    globs.some((given) => given.length > MAX_GLOB_LENGTH) ||
    globs.flatMap(expandBraces).some((glob) => {
      if (/\\|\[[[:.=]/.test(glob)) return true;
      return matchesPart(glob.replace(/\[[!^]?\]?[^\]]*\]/g, "?").toLowerCase(), name.toLowerCase());
    })
  );
}

/** Whether a name matches in every implementation of globs. */
function surelyFits(globs: readonly string[] | undefined, name: string): boolean {
  return globs?.some((glob) => !/[\\[{]/.test(glob) && matchesPart(glob, name)) === true;
}

/** Whether a folder contains no secret; false where unknown. */
function isOpen(folder: string, places: Locations, how: TreeReadOptions): boolean {
  const seen = new Set<string>();
  const globs = [how.only, how.excluded, how.excludedFolders].reduce(
    (sum, list) => sum + (list?.length ?? 0),
    0,
  );
  const open = [{ at: folder, skipsHidden: how.skipsHidden === true && !isUnignoredAbove(folder, places) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at } = next;
    if (seen.has(at)) continue;
    seen.add(at);
    const listing = places.world.entries?.(at) ?? "unknown";
    if (listing === "unknown") return false;
    if (listing === "no folder") continue;
    spend(FOLDER_COST + (NAME_COST + GLOB_COST * globs) * listing.length);
    const skipsHidden = next.skipsHidden && !listing.some(({ name }) => unignoresSecrets(at, name, places));
    for (const { name, kind } of listing) {
      if (skipsHidden && name.startsWith(".")) continue;
      if (how.isSplitAtBlanks && /[\s"'\\]/.test(name)) return false;
      const path = posix.join(at, name);
      if (kind === "folder") {
        const isOwn = mayHoldPasswords(path, places) ?? !THIRD_PARTY_FOLDER.test(name);
        if (isOwn && !surelyFits(how.excludedFolders, name)) open.push({ at: path, skipsHidden });
        continue;
      }
      if (surelyFits(how.excluded, name) || (how.only != null && !mayFit(how.only, name))) continue;
      if (kind === "file" && isSecretFile(path, places)) return false;
      if (kind === "link" && how.followsLinks) {
        if (!mayReadFile(path, places, [at])) return false;
        open.push({ at: places.world.realPath(path), skipsHidden });
      }
    }
  }
  return true;
}
