import { posix } from "node:path";
import { isInside, type Places } from "../places.ts";
import { holdsSecrets } from "../protected-files.ts";
import { spend } from "../work.ts";

/** Git's own ignore file of a repository. */
const EXCLUDE = ".git/info/exclude";
const NAMES = [".gitignore", ".ignore", ".rgignore", EXCLUDE];

/**
 * Whether a file of this folder is an ignore file that lets hidden files in that hold secrets: `!.env`. Programs that
 * leave out hidden names look at such lines first.
 */
export function letsHiddenIn(folder: string, name: string, places: Places): boolean {
  if (name === ".git") return letsHiddenIn(folder, EXCLUDE, places);
  if (!NAMES.includes(name)) return false;
  const bytes = places.world.bytes?.(posix.join(folder, name));
  if (bytes === null) return false;
  if (bytes === undefined || bytes === "unknown") return true;
  spend(bytes.length);
  return Buffer.from(bytes)
    .toString()
    .split("\n")
    .some((line) => line.startsWith("!") && mayLetIn(line.slice(1), folder, places));
}

function mayLetIn(glob: string, folder: string, places: Places): boolean {
  const name = glob.trim().replace(/\/$/, "").split("/").at(-1)!;
  if (/[*?[\\]/.test(name)) return /^[.*?[\\]/.test(name);
  return name.startsWith(".") && holdsSecrets(posix.join(folder, name), places);
}

/** The same for the folders above this one in the workspace. */
export function isLetInAbove(folder: string, places: Places): boolean {
  for (let at = folder; places.workspace.some((each) => at !== each && isInside(at, each)); ) {
    at = posix.dirname(at);
    if (NAMES.some((name) => letsHiddenIn(at, name, places))) return true;
  }
  return false;
}
