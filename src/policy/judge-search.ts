import { ask, deny, type Finding, gravest } from "./finding.ts";
import { filesBelow, fitsGlob } from "./judge-found.ts";
import { judgement } from "./judge-paths.ts";
import { holdsOwnKey } from "./own-files.ts";
import { withoutBraces } from "./path-glob.ts";
import { isInside, type Places, pathsOf, shownPath } from "./places.ts";
import { holdsSecrets, protectionOf, protectionOfGlob } from "./protected-files.ts";
import { giveUp } from "./work.ts";

const MAX_GLOBS = 200;

/** What a search of contents goes through: a folder, and the files in it that a glob narrows it to. */
export function judgeSearch(
  who: string,
  input: Readonly<Record<string, unknown>>,
  places: Places,
): Finding | null {
  const { path, glob } = input;
  const folder = typeof path === "string" && path !== "" ? path : ".";
  const globs = (typeof glob === "string" ? withoutBraces(glob) : [])
    .flatMap((each) => each.split(/[\s,]+/))
    .filter((each) => each !== "" && !each.startsWith("!"));
  if (globs.length > MAX_GLOBS) giveUp();
  const folders = pathsOf(folder, places);
  const fits = (file: string): boolean =>
    globs.length === 0 || globs.some((each) => fitsSearch(each, file, folders));
  if (folders.some((each) => holdsOwnKey(each, fits, places)))
    return globs.length > 0
      ? deny("own-file", `${who} would search a file that only Hookline itself may use.`)
      : ask("own-file", `${who} would go through Hookline's own files, too.`);
  return gravest([
    ...globs.flatMap((each) => folders.map((from) => judgeGlobIn(who, from, each, places))),
    ...folders.slice(0, 1).map((from) => judgeFilesIn(who, from, fits, globs.length > 0, places)),
  ]);
}

function fitsSearch(glob: string, file: string, folders: readonly string[]): boolean {
  const written = glob.toLowerCase();
  if (!written.includes("/")) return fitsGlob({ of: "name", glob: written }, file);
  return folders.some((folder) =>
    [written, `${folder.toLowerCase()}/${written.replace(/^\//, "")}`, `*/${written}`].some((each) =>
      fitsGlob({ of: "path", glob: each }, file),
    ),
  );
}

function judgeGlobIn(who: string, folder: string, glob: string, places: Places): Finding | null {
  const path = `${folder}/${glob}`;
  const found = protectionOfGlob(path, places) ?? protectionOf(path, places);
  return found === null ? null : judgement(found, "read", glob, who);
}

/** All of a workspace is searched every day; a part of it that holds a secret is not. */
function judgeFilesIn(
  who: string,
  folder: string,
  fits: (file: string) => boolean,
  isNarrowed: boolean,
  places: Places,
): Finding | null {
  const isAll = places.workspace.some((each) => isInside(each, folder)) || folder === places.cwd;
  if (isAll && !isNarrowed) return null;
  for (const file of filesBelow(folder, places, !isNarrowed))
    if (fits(file) && holdsSecrets(file, places))
      return ask("read-secret-file", `${who} would search ${shownPath(file, places)}, a file for secrets.`);
  return null;
}
