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
  actor: string,
  input: Readonly<Record<string, unknown>>,
  locations: Locations,
): Finding | null {
  const { path, glob } = input;
  const folder = typeof path === "string" && path !== "" ? path : ".";
  const globs = (typeof glob === "string" ? expandBraces(glob) : [])
    .flatMap((each) => each.split(/[\s,]+/))
    .filter((each) => each !== "" && !each.startsWith("!"));
  if (globs.length > MAX_GLOBS) giveUp();
  const folders = pathsOf(folder, locations);
  const matches = (file: string): boolean =>
    globs.length === 0 || globs.some((each) => matchesSearch(each, file, folders));
  if (folders.some((each) => holdsOwnKey(each, matches, locations)))
    return globs.length > 0
      ? deny("own-file", `${actor} would search a file reserved for Hookline.`)
      : ask("own-file", `${actor} would also read Hookline's own files.`);
  return mostSevere([
    ...globs.flatMap((each) => folders.map((start) => judgeGlobIn(actor, start, each, locations))),
    ...folders.slice(0, 1).map((start) => judgeFilesIn(actor, start, matches, globs.length > 0, locations)),
  ]);
}

function matchesSearch(glob: string, file: string, folders: readonly string[]): boolean {
  const lowerCase = glob.toLowerCase();
  if (!lowerCase.includes("/")) return matchesSearchGlob({ of: "name", glob: lowerCase }, file);
  return folders.some((folder) =>
    [lowerCase, `${folder.toLowerCase()}/${lowerCase.replace(/^\//, "")}`, `*/${lowerCase}`].some((each) =>
      matchesSearchGlob({ of: "path", glob: each }, file),
    ),
  );
}

function judgeGlobIn(actor: string, folder: string, glob: string, locations: Locations): Finding | null {
  const path = `${folder}/${glob}`;
  const found = protectionOfGlob(path, locations) ?? protectionOf(path, locations);
  return found === null ? null : judgeProtection(found, "read", glob, actor);
}

/** Searching a whole workspace is routine; searching a part of it that holds a secret is not. */
function judgeFilesIn(
  actor: string,
  folder: string,
  matches: (file: string) => boolean,
  isNarrowed: boolean,
  locations: Locations,
): Finding | null {
  const coversWorkspace =
    locations.workspace.some((each) => isInside(each, folder)) || folder === locations.cwd;
  if (coversWorkspace && !isNarrowed) return null;
  for (const file of filesBelow(folder, locations, !isNarrowed))
    if (matches(file) && holdsSecrets(file, locations))
      return ask(
        "read-secret-file",
        `${actor} would search ${displayPath(file, locations)}, a secrets file.`,
      );
  return null;
}
