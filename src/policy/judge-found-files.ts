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

/** Names checked below a folder; beyond that, the search itself is judged. */
const MAX_NAMES = 600;

/** The files that `find` or a similar program passes to a command: at any depth, judged by the search. */
export function judgeFoundFiles({ folder, searches = [[]] }: FoundFiles, use: PathUse): Finding | null {
  const { locations, cwds, actor, access } = use;
  const folders = folder.includes(UNKNOWN) ? [] : pathsOf(folder, locations, knownCwds(cwds, locations));
  const fits = (path: string): boolean =>
    searches.some((globs) => globs.every((each) => matchesSearchGlob(each, path)));
  const aimed = searches.filter((globs) => globs.some(({ glob }) => /[^*?/.]/.test(glob)));
  const isAimed = (path: string): boolean =>
    aimed.some((globs) => globs.every((each) => matchesSearchGlob(each, path)));
  if (access !== "names" && folders.some((each) => holdsOwnKey(each, isAimed, locations)))
    return deny("own-file", `${actor} would use a file reserved for Hookline.`);
  const protection = mostSevere(
    aimed.map((globs) => {
      const found = protectionOfSearch(globs, locations);
      return found === null ? null : judgeProtection(found, access, "what is found", actor);
    }),
  );
  const isAll =
    access !== "names" && access !== "mode" && folders.some((each) => holdsOwnKey(each, fits, locations));
  return mostSevere([
    protection,
    isAll ? ask("own-file", `${actor} would also read Hookline's own files.`) : null,
    ...(aimed.length === 0 ? [] : folders.slice(0, 1)).map((each) => judgeTree(each, isAimed, use)),
  ]);
}

export function matchesSearchGlob({ of, glob }: SearchGlob, path: string): boolean {
  const written = path.toLowerCase();
  if (of === "name") return matchesPart(glob, written.slice(written.lastIndexOf("/") + 1));
  return matchesPart(glob, written) || matchesPart(glob.replace(/^\.?\//, "*/"), written);
}

/** Protected files that currently exist below a folder. */
function judgeTree(folder: string, fits: (path: string) => boolean, use: PathUse): Finding | null {
  const { locations, actor, access, protect } = use;
  for (const path of filesBelow(folder, locations)) {
    if (!fits(path)) continue;
    const protection = protectionOf(path, locations, protect);
    const finding =
      protection === null ? null : judgeProtection(protection, access, displayPath(path, locations), actor);
    if (finding !== null) return finding;
  }
  return null;
}

/** Up to a number of files; skips third-party code. */
export function* filesBelow(folder: string, places: Locations, skipsHidden = false): Generator<string> {
  const open = [folder];
  let left = MAX_NAMES;
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    const listing = places.world.entries?.(at) ?? "unknown";
    if (!Array.isArray(listing)) continue;
    for (const { name, kind } of listing) {
      if (left-- <= 0) return;
      if (skipsHidden && name.startsWith(".")) continue;
      spend(40 + at.length);
      const path = posix.join(at, name);
      if (kind !== "folder") yield path;
      else if (!THIRD_PARTY_FOLDER.test(name)) open.push(path);
    }
  }
}
