import { posix } from "node:path";
import { isInside, type Locations } from "../locations.ts";
import { holdsSecrets } from "../protected-files.ts";
import { spend } from "../work.ts";

/** Git's own ignore file of a repository. */
const EXCLUDE = ".git/info/exclude";
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", EXCLUDE];

/**
 * Whether a file of this folder is an ignore file that re-includes hidden files with secrets: `!.env`. Programs that
 * skip hidden names apply such lines first.
 */
export function unignoresSecrets(folder: string, name: string, locations: Locations): boolean {
  if (name === ".git") return unignoresSecrets(folder, EXCLUDE, locations);
  if (!IGNORE_FILES.includes(name)) return false;
  const bytes = locations.world.bytes?.(posix.join(folder, name));
  if (bytes === null) return false;
  if (bytes === undefined || bytes === "unknown") return true;
  spend(bytes.length);
  return Buffer.from(bytes)
    .toString()
    .split("\n")
    .some((line) => line.startsWith("!") && mayUnignore(line.slice(1), folder, locations));
}

function mayUnignore(glob: string, folder: string, locations: Locations): boolean {
  const name = glob.trim().replace(/\/$/, "").split("/").at(-1)!;
  if (/[*?[\\]/.test(name)) return /^[.*?[\\]/.test(name);
  return name.startsWith(".") && holdsSecrets(posix.join(folder, name), locations);
}

/** The same for the folders above this one in the workspace. */
export function isUnignoredAbove(folder: string, locations: Locations): boolean {
  for (let at = folder; locations.workspace.some((each) => at !== each && isInside(at, each)); ) {
    at = posix.dirname(at);
    if (IGNORE_FILES.some((name) => unignoresSecrets(at, name, locations))) return true;
  }
  return false;
}
