import { posix } from "node:path";
import { ask, deny, type Finding, gravest } from "./finding.ts";
import { judgement, knownOf, type PathUse } from "./judge-paths.ts";
import { holdsOwnKey } from "./own-files.ts";
import { matchesPart } from "./path-glob.ts";
import { type Places, pathsOf, shownPath } from "./places.ts";
import { protectionOf, protectionOfSought } from "./protected-files.ts";
import { NOT_OWN } from "./read-only/globs.ts";
import { type FoundFiles, type SoughtGlob, UNKNOWN } from "./shell/shell-reading.ts";
import { spend } from "./work.ts";

/** Names looked at below a folder; what lies beyond is judged by what is looked for. */
const MAX_NAMES = 600;

/** The files that `find` or the like hands to a command: at any depth, by what is looked for. */
export function judgeFound({ folder, sought = [[]] }: FoundFiles, use: PathUse): Finding | null {
  const { places, cwds, who, access } = use;
  const folders = folder.includes(UNKNOWN) ? [] : pathsOf(folder, places, knownOf(cwds, places));
  const fits = (path: string): boolean => sought.some((globs) => globs.every((each) => fitsGlob(each, path)));
  const aimed = sought.filter((globs) => globs.some(({ glob }) => /[^*?/.]/.test(glob)));
  const isAimed = (path: string): boolean =>
    aimed.some((globs) => globs.every((each) => fitsGlob(each, path)));
  if (access !== "names" && folders.some((each) => holdsOwnKey(each, isAimed, places)))
    return deny("own-file", `${who} would use a file that only Hookline itself may use.`);
  const protection = gravest(
    aimed.map((globs) => {
      const found = protectionOfSought(globs, places);
      return found === null ? null : judgement(found, access, "what is found", who);
    }),
  );
  const isAll =
    access !== "names" && access !== "mode" && folders.some((each) => holdsOwnKey(each, fits, places));
  return gravest([
    protection,
    isAll ? ask("own-file", `${who} would go through Hookline's own files, too.`) : null,
    ...(aimed.length === 0 ? [] : folders.slice(0, 1)).map((each) => judgeTree(each, isAimed, use)),
  ]);
}

export function fitsGlob({ of, glob }: SoughtGlob, path: string): boolean {
  const written = path.toLowerCase();
  if (of === "name") return matchesPart(glob, written.slice(written.lastIndexOf("/") + 1));
  return matchesPart(glob, written) || matchesPart(glob.replace(/^\.?\//, "*/"), written);
}

/** Protected files that lie below a folder now. */
function judgeTree(folder: string, fits: (path: string) => boolean, use: PathUse): Finding | null {
  const { places, who, access, protect } = use;
  for (const path of filesBelow(folder, places)) {
    if (!fits(path)) continue;
    const protection = protectionOf(path, places, protect);
    const finding = protection === null ? null : judgement(protection, access, shownPath(path, places), who);
    if (finding !== null) return finding;
  }
  return null;
}

/** Up to a number of files; those of other people's code not. */
export function* filesBelow(folder: string, places: Places, skipsHidden = false): Generator<string> {
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
      else if (!NOT_OWN.test(name)) open.push(path);
    }
  }
}
