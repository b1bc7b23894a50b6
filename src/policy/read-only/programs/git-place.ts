import { posix } from "node:path";
import { foldedPath } from "../../folded-path.ts";
import { isInside, type Places, pathsOf } from "../../places.ts";

/** What git finds where it runs. */
export type GitPlace =
  /** `isSure`: what git takes for a repository is there, so that it looks no further. */
  | { readonly type: "repository"; readonly root: string; readonly isSure: boolean }
  | { readonly type: "none" }
  /** A bare repository among the files has its own configuration, and so its own commands. */
  | { readonly type: "unknown" };

/** The repositories that a command in this folder may run in. */
export function gitPlacesOf(cwd: string, places: Places): readonly GitPlace[] {
  return pathsOf(cwd, places).map((path) => placeAbove(path, places));
}

function placeAbove(path: string, places: Places): GitPlace {
  for (let at = path; ; at = posix.dirname(at)) {
    const listing = places.world.entries?.(at) ?? "unknown";
    if (listing === "unknown") return { type: "unknown" };
    const entries = listing === "no folder" ? [] : listing;
    const own = entries.find(({ name }) => name === ".git");
    if (own !== undefined)
      return {
        type: "repository",
        root: at,
        isSure: own.kind === "file" || isGitFolder(`${at}/.git`, places),
      };
    // Disks that ignore case find these by other spellings.
    if (entries.some(({ name }) => /^(?:head|\.git)$/.test(foldedPath(name)))) return { type: "unknown" };
    if (at === "/" || !places.workspace.some((folder) => at !== folder && isInside(at, folder)))
      return { type: "none" };
  }
}

function isGitFolder(folder: string, places: Places): boolean {
  const listing = places.world.entries?.(folder) ?? "unknown";
  return (
    Array.isArray(listing) &&
    ["HEAD", "objects", "refs"].every((name) => listing.some((entry) => entry.name === name))
  );
}

/** Where git keeps what belongs to this work tree (`index`) and to all of them (`config`). Null where that is not known. */
export function gitFoldersOf(
  root: string,
  places: Places,
): { readonly own: string; readonly common: string } | null {
  const listing = places.world.entries?.(root) ?? "unknown";
  const entry = Array.isArray(listing) ? listing.find(({ name }) => name === ".git") : undefined;
  if (entry?.kind === "folder") return { own: `${root}/.git`, common: `${root}/.git` };
  const link = entry?.kind === "file" ? textOf(`${root}/.git`, places) : null;
  const [, folder] = /^gitdir: ([^\n]{1,1000})\n?$/.exec(link ?? "") ?? [];
  if (folder === undefined) return null;
  const own = posix.resolve(root, folder);
  const common = textOf(`${own}/commondir`, places)?.trim();
  return { own, common: common === undefined ? own : posix.resolve(own, common) };
}

/** A small file as text; null where it is not there or not read. */
export function textOf(path: string, places: Places): string | null {
  const bytes = places.world.bytes?.(path);
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("utf8") : null;
}
