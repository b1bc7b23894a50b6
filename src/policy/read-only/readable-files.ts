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

/** Longer paths are refused rather than resolved. */
const MAX_PATH_LENGTH = 1_024;

/** Arguments that programs do not treat as paths, or that some shells expand differently (`^x`: all but `x`). */
const NOT_A_PATH = /^(?:=|@|file:)|(?:^|\/)\^|\u0000/;

/** Whether a program may report a path's existence, size and type. */
export function mayStatPath(text: string, locations: Locations, cwds: readonly string[]): boolean {
  if (PUBLIC_FILES.test(text)) return true;
  if (text.length > MAX_PATH_LENGTH || NOT_A_PATH.test(text)) return false;
  return isInWorkspace(text, locations, cwds);
}

/** Whether a program may show a file's contents. */
export function mayReadFile(text: string, locations: Locations, cwds: readonly string[]): boolean {
  return mayStatPath(text, locations, cwds) && (text === "-" || !isSecret(text, locations, cwds));
}

function isSecret(text: string, locations: Locations, cwds: readonly string[]): boolean {
  return pathsOf(text, locations, cwds).some(
    (path) => isSecretFile(path, locations) || !isHarmlessGitPath(path, locations),
  );
}

function isSecretFile(path: string, locations: Locations): boolean {
  return (holdsSecrets(path, locations) && !isGitLog(path, locations)) || holdsPassword(path, locations);
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
  /** Whether the program prints everything it reads, including hidden files. Never allowed unasked on a whole workspace. */
  readonly printsAll?: boolean;
  /** Whether a space or quote in a name splits it into several names, as `xargs` does. */
  readonly isSplitAtBlanks?: boolean;
}

/** Whether a program may show the contents of all files in a folder; same as `mayReadFile` for a file. */
export function mayReadTree(
  text: string,
  locations: Locations,
  cwds: readonly string[],
  options: TreeReadOptions = {},
): boolean {
  if (!mayReadFile(text, locations, cwds)) return false;
  return pathsOf(text, locations, cwds).every((path) => {
    if (options.printsAll && locations.workspace.includes(path)) return false;
    return holdsNoSecretCached(path, locations, options);
  });
}

/** Cached: a request may read the same tree many times. */
const cache = new WeakMap<Locations, Map<string, boolean>>();

function holdsNoSecretCached(folder: string, locations: Locations, options: TreeReadOptions): boolean {
  const cached = cache.get(locations) ?? new Map<string, boolean>();
  cache.set(locations, cached);
  const key = `${folder}\n${JSON.stringify(options)}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const result = holdsNoSecret(folder, locations, options);
  cached.set(key, result);
  return result;
}

/** Whether a name may match one of the globs, however the program interprets classes, escapes and case. */
function mayMatch(globs: readonly string[], name: string): boolean {
  return (
    globs.some((glob) => glob.length > MAX_GLOB_LENGTH) ||
    globs.flatMap(expandBraces).some((glob) => {
      if (/\\|\[[[:.=]/.test(glob)) return true;
      return matchesPart(glob.replace(/\[[!^]?\]?[^\]]*\]/g, "?").toLowerCase(), name.toLowerCase());
    })
  );
}

/** Whether a name matches in every implementation of globs. */
function surelyMatches(globs: readonly string[] | undefined, name: string): boolean {
  return globs?.some((glob) => !/[\\[{]/.test(glob) && matchesPart(glob, name)) === true;
}

/** Whether a folder contains no secret; false where unknown. */
function holdsNoSecret(folder: string, locations: Locations, options: TreeReadOptions): boolean {
  const seen = new Set<string>();
  const globCount = [options.only, options.excluded, options.excludedFolders].reduce(
    (sum, list) => sum + (list?.length ?? 0),
    0,
  );
  const pending = [
    { at: folder, skipsHidden: options.skipsHidden === true && !isUnignoredAbove(folder, locations) },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { at } = next;
    if (seen.has(at)) continue;
    seen.add(at);
    const listing = locations.world.entries?.(at) ?? "unknown";
    if (listing === "unknown") return false;
    if (listing === "no folder") continue;
    spend(FOLDER_COST + (NAME_COST + GLOB_COST * globCount) * listing.length);
    const skipsHidden =
      next.skipsHidden && !listing.some(({ name }) => unignoresSecrets(at, name, locations));
    for (const { name, kind } of listing) {
      if (skipsHidden && name.startsWith(".")) continue;
      if (options.isSplitAtBlanks && /[\s"'\\]/.test(name)) return false;
      const path = posix.join(at, name);
      if (kind === "folder") {
        const isScanned = mayHoldPasswords(path, locations) ?? !THIRD_PARTY_FOLDER.test(name);
        if (isScanned && !surelyMatches(options.excludedFolders, name))
          pending.push({ at: path, skipsHidden });
        continue;
      }
      if (surelyMatches(options.excluded, name) || (options.only != null && !mayMatch(options.only, name)))
        continue;
      if (kind === "file" && isSecretFile(path, locations)) return false;
      if (kind === "link" && options.followsLinks) {
        if (!mayReadFile(path, locations, [at])) return false;
        pending.push({ at: locations.world.realPath(path), skipsHidden });
      }
    }
  }
  return true;
}
