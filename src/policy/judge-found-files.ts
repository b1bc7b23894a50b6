import { posix } from "node:path";
import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { judgeProtection, knownCwds, type PathUse } from "./judge-paths.ts";
import { displayPath, type Locations, pathsOf } from "./locations.ts";
import { holdsOwnKey } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import { protectionOf, protectionOfSearch } from "./protected-files.ts";
import { THIRD_PARTY_FOLDER } from "./read-only/globs.ts";
import { type FoundFiles, type SearchGlob, UNKNOWN } from "./shell/shell-reading.ts";
import { spend } from "./work.ts";

/** Files checked below a folder; beyond that, the search itself is judged. */
const MAX_FILES = 600;

/** The files that `find` or a similar program passes to a command: at any depth, judged by the search. */
export function judgeFoundFiles({ folder, searches = [[]] }: FoundFiles, use: PathUse): Finding | null {
  const { locations, cwds, actor, access } = use;
  const folders = folder.includes(UNKNOWN) ? [] : pathsOf(folder, locations, knownCwds(cwds, locations));
  const matches = (path: string): boolean =>
    searches.some((globs) => globs.every((each) => matchesSearchGlob(each, path)));
  const narrowSearches = searches.filter((globs) => globs.some(({ glob }) => /[^*?/.]/.test(glob)));
  const matchesNarrowly = (path: string): boolean =>
    narrowSearches.some((globs) => globs.every((each) => matchesSearchGlob(each, path)));
  if (access !== "names" && folders.some((each) => holdsOwnKey(each, matchesNarrowly, locations)))
    return deny("own-file", `${actor} would use a file reserved for Hookline.`);
  const protection = mostSevere(
    narrowSearches.map((globs) => {
      const found = protectionOfSearch(globs, locations);
      return found === null ? null : judgeProtection(found, access, "what is found", actor);
    }),
  );
  const coversOwnKey =
    access !== "names" && access !== "mode" && folders.some((each) => holdsOwnKey(each, matches, locations));
  return mostSevere([
    protection,
    coversOwnKey ? ask("own-file", `${actor} would also read Hookline's own files.`) : null,
    ...(narrowSearches.length === 0 ? [] : folders.slice(0, 1)).map((each) =>
      judgeTree(each, matchesNarrowly, use),
    ),
  ]);
}

export function matchesSearchGlob({ of, glob }: SearchGlob, path: string): boolean {
  const lowerCase = path.toLowerCase();
  if (of === "name") return matchesPart(glob, lowerCase.slice(lowerCase.lastIndexOf("/") + 1));
  return matchesPart(glob, lowerCase) || matchesPart(glob.replace(/^\.?\//, "*/"), lowerCase);
}

/** Protected files that currently exist below a folder. */
function judgeTree(folder: string, matches: (path: string) => boolean, use: PathUse): Finding | null {
  const { locations, actor, access, protect } = use;
  for (const path of filesBelow(folder, locations)) {
    if (!matches(path)) continue;
    const protection = protectionOf(path, locations, protect);
    const finding =
      protection === null ? null : judgeProtection(protection, access, displayPath(path, locations), actor);
    if (finding !== null) return finding;
  }
  return null;
}

/** Yields at most `MAX_FILES` files below a folder, without third-party code. */
export function* filesBelow(folder: string, locations: Locations, skipsHidden = false): Generator<string> {
  const pending = [folder];
  let filesLeft = MAX_FILES;
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    const listing = locations.world.entries?.(at) ?? "unknown";
    if (!Array.isArray(listing)) continue;
    for (const { name, kind } of listing) {
      if (filesLeft-- <= 0) return;
      if (skipsHidden && name.startsWith(".")) continue;
      spend(40 + at.length);
      const path = posix.join(at, name);
      if (kind !== "folder") yield path;
      else if (!THIRD_PARTY_FOLDER.test(name)) pending.push(path);
    }
  }
}
