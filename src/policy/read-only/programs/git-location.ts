import { posix } from "node:path";
import { foldedPath } from "../../folded-path.ts";
import { isInside, type Locations, pathsOf } from "../../locations.ts";

/** What git finds where it runs. */
export type GitLocation =
  /** `isSure`: a valid repository exists there, so git searches no further. */
  | { readonly type: "repository"; readonly root: string; readonly isSure: boolean }
  | { readonly type: "none" }
  /** A bare repository among the files has its own configuration, and so its own commands. */
  | { readonly type: "unknown" };

/** The repositories in which a command in this folder may run. */
export function findGitLocations(cwd: string, locations: Locations): readonly GitLocation[] {
  return pathsOf(cwd, locations).map((path) => findLocationAbove(path, locations));
}

function findLocationAbove(path: string, locations: Locations): GitLocation {
  for (let folder = path; ; folder = posix.dirname(folder)) {
    const listing = locations.world.entries?.(folder) ?? "unknown";
    if (listing === "unknown") return { type: "unknown" };
    const entries = listing === "no folder" ? [] : listing;
    const gitEntry = entries.find(({ name }) => name === ".git");
    if (gitEntry !== undefined)
      return {
        type: "repository",
        root: folder,
        isSure: gitEntry.kind === "file" || isGitFolder(`${folder}/.git`, locations),
      };
    // Case-insensitive disks find these by other spellings.
    if (entries.some(({ name }) => /^(?:head|\.git)$/.test(foldedPath(name)))) return { type: "unknown" };
    if (folder === "/" || !locations.workspace.some((root) => folder !== root && isInside(folder, root)))
      return { type: "none" };
  }
}

function isGitFolder(folder: string, locations: Locations): boolean {
  const listing = locations.world.entries?.(folder) ?? "unknown";
  return (
    Array.isArray(listing) &&
    ["HEAD", "objects", "refs"].every((name) => listing.some((entry) => entry.name === name))
  );
}

/** Git's folders for this work tree (`index`) and for all of them (`config`). Null where unknown. */
export function gitFoldersOf(
  root: string,
  locations: Locations,
): { readonly own: string; readonly common: string } | null {
  const listing = locations.world.entries?.(root) ?? "unknown";
  const entry = Array.isArray(listing) ? listing.find(({ name }) => name === ".git") : undefined;
  if (entry?.kind === "folder") return { own: `${root}/.git`, common: `${root}/.git` };
  const link = entry?.kind === "file" ? readSmallText(`${root}/.git`, locations) : null;
  const [, gitFolder] = /^gitdir: ([^\n]{1,1000})\n?$/.exec(link ?? "") ?? [];
  if (gitFolder === undefined) return null;
  const own = posix.resolve(root, gitFolder);
  const common = readSmallText(`${own}/commondir`, locations)?.trim();
  return { own, common: common === undefined ? own : posix.resolve(own, common) };
}

/** A small file as text; null where it is missing or not read. */
export function readSmallText(path: string, locations: Locations): string | null {
  const bytes = locations.world.bytes?.(path);
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("utf8") : null;
}
