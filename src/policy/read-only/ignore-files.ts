import { posix } from "node:path";
import { isInside, type Locations } from "../locations.ts";
import { holdsSecrets } from "../protected-files.ts";
import { spend } from "../work.ts";

/** Git's own ignore file of a repository. */
const EXCLUDE = ".git/info/exclude";
const NAMES = [".gitignore", ".ignore", ".rgignore", EXCLUDE];

/**
 * Whether a file of this folder is an ignore file that re-includes hidden files with secrets: `!.env`. Programs that
 * skip hidden names apply such lines first.
 */
export function unignoresSecrets(folder: string, name: string, places: Locations): boolean {
  if (name === ".git") return unignoresSecrets(folder, EXCLUDE, places);
  if (!NAMES.includes(name)) return false;
  const bytes = places.world.bytes?.(posix.join(folder, name));
  if (bytes === null) return false;
  if (bytes === undefined || bytes === "unknown") return true;
  spend(bytes.length);
  return Buffer.from(bytes)
    .toString()
    .split("\n")
    .some((line) => line.startsWith("!") && mayUnignore(line.slice(1), folder, places));
}

function mayUnignore(glob: string, folder: string, places: Locations): boolean {
  const name = glob.trim().replace(/\/$/, "").split("/").at(-1)!;
  if (/[*?[\\]/.test(name)) return /^[.*?[\\]/.test(name);
  return name.startsWith(".") && holdsSecrets(posix.join(folder, name), places);
}

/** The same for the folders above this one in the workspace. */
export function isUnignoredAbove(folder: string, places: Locations): boolean {
  for (let at = folder; places.workspace.some((each) => at !== each && isInside(at, each)); ) {
    at = posix.dirname(at);
    if (NAMES.some((name) => unignoresSecrets(at, name, places))) return true;
  }
  return false;
}
