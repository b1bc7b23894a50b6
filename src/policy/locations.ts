import { posix } from "node:path";
import { matchesPath, withoutTrailingSlashes } from "./path-glob.ts";
import type { FolderListing, PolicyRequest, World } from "./request.ts";
import type { OwnHome } from "./rule.ts";
import { UNKNOWN } from "./shell/shell-reading.ts";
import { giveUp, spend, TooLongToJudge } from "./work.ts";

/** Where a request happens, and what counts as inside. */
export interface Locations {
  readonly home: string;
  readonly cwd: string;
  /** As configured and as resolved. */
  readonly workspace: readonly string[];
  readonly world: World;
  readonly own: OwnHome;
}

const DEFAULT_PORT = 37_777;

export function toLocations(request: PolicyRequest, rawWorld: World, own?: OwnHome): Locations {
  const world = withCache(rawWorld.forRequest?.() ?? rawWorld);
  const home = clean(world.home);
  const cwd = clean(request.cwd === "" ? "/" : request.cwd);
  const listed = request.workspace?.length ? request.workspace : [cwd];
  const added = request.projectPath ? [...listed, request.projectPath] : listed;
  const folders = added.filter((folder) => folder.startsWith("/")).map(clean);
  const workspace = [...new Set(folders.flatMap((folder) => [folder, real(world, folder)]))];
  return { home, cwd, workspace, world, own: own ?? { dir: `${home}/.hookline`, port: DEFAULT_PORT } };
}

/** Keeps the verdict fast: a larger folder is not scanned, but asked about. */
const MAX_ENTRIES = 10_000;
/** Each may cost a disk lookup. */
const MAX_PATHS = 4_000;

/** A request resolves the same path several times. */
function withCache(world: World): World {
  const realPaths = new Map<string, string>();
  const realPath = (path: string): string => {
    const known = realPaths.get(path);
    if (known !== undefined) return known;
    if (realPaths.size >= MAX_PATHS) giveUp();
    spend(60 + 8 * path.length);
    const real = world.realPath(path);
    realPaths.set(path, real);
    return real;
  };
  const listed = new Map<string, FolderListing>();
  let entriesLeft = MAX_ENTRIES;
  const entries = (folder: string): FolderListing => {
    const known = listed.get(folder);
    if (known !== undefined) return known;
    const listing = entriesLeft > 0 ? (world.entries?.(folder) ?? "unknown") : "unknown";
    entriesLeft -= Array.isArray(listing) ? listing.length + 1 : 1;
    listed.set(folder, listing);
    return listing;
  };
  const contents = new Map<string, ReturnType<NonNullable<World["bytes"]>>>();
  const bytes = (file: string): Uint8Array | null | "unknown" => {
    const known = contents.get(file);
    if (known !== undefined) return known;
    spend(1_000);
    const found = world.bytes?.(file) ?? null;
    contents.set(file, found);
    return found;
  };
  return { home: world.home, realPath, entries, bytes };
}

/**
 * The absolute paths a text can mean: as written, and where symlinks lead. `..` is followed both ways, since `cd` goes
 * back along the names and the kernel along the folders. The last one is the real one.
 */
export function pathsOf(
  text: string,
  locations: Locations,
  cwds: readonly string[] = [locations.cwd],
): readonly string[] {
  const written = /^file:\//i.test(text) ? pathOfUrl(text) : text;
  const starts = written.startsWith("/")
    ? [written]
    : (fromTilde(written, locations) ?? cwds.map((cwd) => `${cwd}/${written}`));
  return [
    ...new Set(
      starts.flatMap((start) => {
        const resolved = resolveProcPath(start, locations);
        const path = clean(resolved);
        return [path, real(locations.world, path), physicalPath(locations.world, resolved)];
      }),
    ),
  ];
}

/** `/proc/1/root/etc`, `/proc/self/cwd/x`: other paths to the same files. */
function resolveProcPath(path: string, { cwd }: Locations): string {
  const [, kind, rest = ""] = /^\/+proc\/+[^/]+(?:\/+task\/+[^/]+)?\/+(root|cwd)(\/.*)?$/s.exec(path) ?? [];
  if (kind === undefined) return path;
  return kind === "root" ? rest || "/" : cwd + rest;
}

function pathOfUrl(url: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?:localhost|127\.0\.0\.1)?(?=\/)/i, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fromTilde(text: string, locations: Locations): readonly string[] | undefined {
  return text === "~" || text.startsWith("~/") ? [locations.home + text.slice(1)] : undefined;
}

export function isInside(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Whether every path a text can mean ends inside the workspace. */
export function isInWorkspace(text: string, locations: Locations, cwds?: readonly string[]): boolean {
  if (text.includes(UNKNOWN) || cwds?.some((cwd) => cwd.includes(UNKNOWN))) return false;
  // A path as written may enter through a symlink from outside; its real target is what counts.
  return pathsOf(text, locations, cwds).every((path) =>
    locations.workspace.some((folder) =>
      isInside(real(locations.world, path), real(locations.world, folder)),
    ),
  );
}

/** A path for a sentence, shortened where possible. */
export function displayPath(path: string, locations: Locations): string {
  const folder = locations.workspace.find((each) => path !== each && isInside(path, each) && each !== "/");
  if (folder !== undefined) return path.slice(folder.length + 1);
  return locations.home !== "/" && isInside(path, locations.home)
    ? `~${path.slice(locations.home.length)}`
    : path;
}

/**
 * A glob as people write it: `~/x`, `/x`, `docs/**` below the folders in question, `*.sql` at any depth. A folder
 * covers everything below it.
 */
export function matchesLocation(glob: string, path: string, locations: Locations): boolean {
  const trimmed = withoutTrailingSlashes(glob);
  const globs = anchorGlob(trimmed === "" ? "/" : trimmed, locations);
  return globs.some((each) => matchesPath(each, path) || matchesPath(`${each}/**`, path));
}

function anchorGlob(glob: string, locations: Locations): readonly string[] {
  if (glob.startsWith("/")) return [glob];
  const home = fromTilde(glob, locations);
  if (home !== undefined) return home;
  const relative = glob.replace(/^\.\//, "");
  if (!relative.includes("/")) return [`/**/${relative}`];
  return [...new Set([locations.cwd, ...locations.workspace])].map((folder) => `${folder}/${relative}`);
}

function clean(path: string): string {
  const normal = posix.normalize(path.replaceAll(UNKNOWN, "\ufffd"));
  return normal.length > 1 ? withoutTrailingSlashes(normal) : normal;
}

function real(world: World, path: string): string {
  spend(30 + path.length);
  try {
    return clean(world.realPath(path));
  } catch (error) {
    if (error instanceof TooLongToJudge) throw error;
    return path;
  }
}

function physicalPath(world: World, path: string): string {
  if (!path.includes("..")) return real(world, clean(path));
  let at = "/";
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    spend(20 + at.length);
    at = part === ".." ? posix.dirname(real(world, at)) : posix.join(at, part);
  }
  return real(world, at);
}
