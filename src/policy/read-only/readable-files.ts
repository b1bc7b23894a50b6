import { posix } from "node:path";
import { matchesPart, withoutBraces } from "../path-glob.ts";
import { isInWorkspace, type Places, pathsOf } from "../places.ts";
import { holdsSecrets } from "../protected-files.ts";
import { spend } from "../work.ts";
import { MAX_GLOB_LENGTH, NOT_OWN } from "./globs.ts";
import { isLetInAbove, letsHiddenIn } from "./ignore-files.ts";
import { holdsPassword, isGitLog, isOpenInGit, mayHoldPasswords } from "./programs/git-folder.ts";

/** Files outside every workspace that anybody may see. */
const OF_EVERYBODY =
  /^(?:-|\/dev\/(?:null|stdin)|\/etc\/(?:os-release|debian_version)|\/proc\/(?:cpuinfo|meminfo|version|loadavg|uptime))$/;

/** What listing a folder and looking at a name in it cost, in units of work. */
const FOLDER_COST = 1_000;
const NAME_COST = 200;
/** For each glob that a name is held against. */
const GLOB_COST = 40;

/** Longer ones are not worth the wait. */
const MAX_PATH_LENGTH = 1_024;

/** Not paths for the programs that get them, or read in another way by other shells: `^x` is all but `x`. */
const NO_PATH = /^(?:=|@|file:)|(?:^|\/)\^|\u0000/;

/** Whether a program may tell about a path: that it is there, its size, its kind. */
export function mayName(text: string, places: Places, cwds: readonly string[]): boolean {
  if (OF_EVERYBODY.test(text)) return true;
  if (text.length > MAX_PATH_LENGTH || NO_PATH.test(text)) return false;
  return isInWorkspace(text, places, cwds);
}

/** Whether a program may show what is in a file. */
export function mayRead(text: string, places: Places, cwds: readonly string[]): boolean {
  return mayName(text, places, cwds) && (text === "-" || !isSecret(text, places, cwds));
}

function isSecret(text: string, places: Places, cwds: readonly string[]): boolean {
  return pathsOf(text, places, cwds).some((path) => isSecretFile(path, places) || !isOpenInGit(path, places));
}

function isSecretFile(path: string, places: Places): boolean {
  return (holdsSecrets(path, places) && !isGitLog(path, places)) || holdsPassword(path, places);
}

/** Which files of a tree are read. */
export interface TreeReading {
  /** Whether names with a dot before them are left out. */
  readonly skipsHidden?: boolean;
  /** Whether links are followed. */
  readonly followsLinks?: boolean;
  /** Only files whose names may fit one of these globs. */
  readonly only?: readonly string[] | null;
  /** Files and folders whose names certainly fit one of these are left out. */
  readonly without?: readonly string[];
  readonly withoutFolders?: readonly string[];
  /** Whether it prints all that it reads, hidden files too: that is asked about for a whole workspace. */
  readonly printsAll?: boolean;
  /** Whether a blank or a quote in a name makes other names of it. */
  readonly isSplitAtBlanks?: boolean;
}

/** Whether a program may show what is in all files of a folder; the same as `mayRead` for a file. */
export function mayReadTree(
  text: string,
  places: Places,
  cwds: readonly string[],
  how: TreeReading = {},
): boolean {
  if (!mayRead(text, places, cwds)) return false;
  return pathsOf(text, places, cwds).every((path) => {
    if (how.printsAll && places.workspace.includes(path)) return false;
    return isKnownOpen(path, places, how);
  });
}

/** One request may read the same tree many times. */
const walked = new WeakMap<Places, Map<string, boolean>>();

function isKnownOpen(folder: string, places: Places, how: TreeReading): boolean {
  const known = walked.get(places) ?? new Map<string, boolean>();
  walked.set(places, known);
  const key = `${folder}\n${JSON.stringify(how)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = isOpen(folder, places, how);
  known.set(key, found);
  return found;
}

/** Whether a name fits one of the globs, whatever classes, escapes and case mean. */
function mayFit(globs: readonly string[], name: string): boolean {
  return (
    globs.some((given) => given.length > MAX_GLOB_LENGTH) ||
    globs.flatMap(withoutBraces).some((glob) => {
      if (/\\|\[[[:.=]/.test(glob)) return true;
      return matchesPart(glob.replace(/\[[!^]?\]?[^\]]*\]/g, "?").toLowerCase(), name.toLowerCase());
    })
  );
}

/** Whether it fits one for everybody who reads globs. */
function surelyFits(globs: readonly string[] | undefined, name: string): boolean {
  return globs?.some((glob) => !/[\\[{]/.test(glob) && matchesPart(glob, name)) === true;
}

/** Whether no secret lies in a folder; false where that is not known. */
function isOpen(folder: string, places: Places, how: TreeReading): boolean {
  const seen = new Set<string>();
  const globs = [how.only, how.without, how.withoutFolders].reduce(
    (sum, list) => sum + (list?.length ?? 0),
    0,
  );
  const open = [{ at: folder, skipsHidden: how.skipsHidden === true && !isLetInAbove(folder, places) }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at } = next;
    if (seen.has(at)) continue;
    seen.add(at);
    const listing = places.world.entries?.(at) ?? "unknown";
    if (listing === "unknown") return false;
    if (listing === "no folder") continue;
    spend(FOLDER_COST + (NAME_COST + GLOB_COST * globs) * listing.length);
    const skipsHidden = next.skipsHidden && !listing.some(({ name }) => letsHiddenIn(at, name, places));
    for (const { name, kind } of listing) {
      if (skipsHidden && name.startsWith(".")) continue;
      if (how.isSplitAtBlanks && /[\s"'\\]/.test(name)) return false;
      const path = posix.join(at, name);
      if (kind === "folder") {
        const isOwn = mayHoldPasswords(path, places) ?? !NOT_OWN.test(name);
        if (isOwn && !surelyFits(how.withoutFolders, name)) open.push({ at: path, skipsHidden });
        continue;
      }
      if (surelyFits(how.without, name) || (how.only != null && !mayFit(how.only, name))) continue;
      if (kind === "file" && isSecretFile(path, places)) return false;
      if (kind === "link" && how.followsLinks) {
        if (!mayRead(path, places, [at])) return false;
        open.push({ at: places.world.realPath(path), skipsHidden });
      }
    }
  }
  return true;
}
