import { ask, deny, type Finding, mostSevere } from "./finding.ts";
import { filesBelow, matchesSearchGlob } from "./judge-found-files.ts";
import { judgeProtection } from "./judge-paths.ts";
import { displayPath, isInside, type Locations, pathsOf } from "./locations.ts";
import { holdsOwnKey } from "./own-files.ts";
import { expandBraces } from "./path-glob.ts";
import { holdsSecrets, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { giveUp } from "./work.ts";

const MAX_GLOBS = 200;

/** What a content search covers: a folder, and the files in it that a glob selects. */
export function judgeSearch(
  who: string,
  input: Readonly<Record<string, unknown>>,
  places: Locations,
): Finding | null {
  const { path, glob } = input;
  const folder = typeof path === "string" && path !== "" ? path : ".";
  const globs = (typeof glob === "string" ? expandBraces(glob) : [])
    .flatMap((each) => each.split(/[\s,]+/))
    .filter((each) => each !== "" && !each.startsWith("!"));
  if (globs.length > MAX_GLOBS) giveUp();
  const folders = pathsOf(folder, places);
  const fits = (file: string): boolean =>
    globs.length === 0 || globs.some((each) => fitsSearch(each, file, folders));
  if (folders.some((each) => holdsOwnKey(each, fits, places)))
    return globs.length > 0
      ? deny("own-file", `${who} would search a file reserved for Hookline.`)
      : ask("own-file", `${who} would also read Hookline's own files.`);
  return mostSevere([
    ...globs.flatMap((each) => folders.map((from) => judgeGlobIn(who, from, each, places))),
    ...folders.slice(0, 1).map((from) => judgeFilesIn(who, from, fits, globs.length > 0, places)),
  ]);
}

function fitsSearch(glob: string, file: string, folders: readonly string[]): boolean {
  const written = glob.toLowerCase();
  if (!written.includes("/")) return matchesSearchGlob({ of: "name", glob: written }, file);
  return folders.some((folder) =>
    [written, `${folder.toLowerCase()}/${written.replace(/^\//, "")}`, `*/${written}`].some((each) =>
      matchesSearchGlob({ of: "path", glob: each }, file),
    ),
  );
}

function judgeGlobIn(who: string, folder: string, glob: string, places: Locations): Finding | null {
  const path = `${folder}/${glob}`;
  const found = protectionOfGlob(path, places) ?? protectionOf(path, places);
  return found === null ? null : judgeProtection(found, "read", glob, who);
}

/** Searching a whole workspace is routine; searching a part of it that holds a secret is not. */
function judgeFilesIn(
  who: string,
  folder: string,
  fits: (file: string) => boolean,
  isNarrowed: boolean,
  places: Locations,
): Finding | null {
  const isAll = places.workspace.some((each) => isInside(each, folder)) || folder === places.cwd;
  if (isAll && !isNarrowed) return null;
  for (const file of filesBelow(folder, places, !isNarrowed))
    if (fits(file) && holdsSecrets(file, places))
      return ask("read-secret-file", `${who} would search ${displayPath(file, places)}, a secrets file.`);
  return null;
}
