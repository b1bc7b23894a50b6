import { type Dirent, lstatSync, opendirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve, sep } from "node:path";
import { isLockedFile } from "../files/locked-files.ts";
import type { Env } from "../home.ts";
import type { FolderEntry, FolderListing, World } from "../policy/request.ts";
import { giveUp } from "../policy/work.ts";

/** Same limit as Linux. */
const MAX_LINKS = 40;
/** The kernel accepts no longer path, so none can exist. */
const MAX_PATH_BYTES = 4_096;

/** Folders inspected for one request. */
const MAX_LOOKUPS = 5_000;

/** The machine as the policy may see it. `beforeLook` is called with every path before it is accessed. */
export function realWorld(env: Env = process.env, beforeAccess?: (path: string) => void): World {
  const home = env["HOME"] || homedir();
  const readLink: ReadLink = (path) => {
    beforeAccess?.(path);
    return linkAt(path);
  };
  const entries = (folder: string): FolderListing => {
    beforeAccess?.(folder);
    return listFolder(folder);
  };
  const bytes = (file: string): Uint8Array | null | "unknown" => {
    beforeAccess?.(file);
    return readSmallFile(file);
  };
  return {
    home,
    realPath: (path) => realPath(resolve(path), readLink),
    entries,
    bytes,
    forRequest: () => {
      const cachedReadLink = cacheLinks(readLink);
      return { home, realPath: (path) => realPath(resolve(path), cachedReadLink), entries, bytes };
    },
  };
}

const MAX_ENTRIES = 10_000;

/** Lists a folder, up to a number of entries; more are not worth the wait. */
export function listFolder(folder: string): FolderListing {
  try {
    const dir = opendirSync(folder, { bufferSize: 512 });
    try {
      const entries: FolderEntry[] = [];
      for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) {
        if (entries.length >= MAX_ENTRIES) return "unknown";
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return entries;
    } finally {
      dir.closeSync();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOTDIR" || code === "ENOENT" ? "no folder" : "unknown";
  }
}

/** The size of a git index of some 30,000 files. */
const MAX_BYTES = 4_000_000;

/** Null if missing; `unknown` if unreadable or too large. */
export function readSmallFile(file: string): Uint8Array | null | "unknown" {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    const isReadable = stats.isFile() && stats.size <= MAX_BYTES && !isLockedFile(file);
    return isReadable ? readFileSync(file) : "unknown";
  } catch {
    return "unknown";
  }
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  return entry.isDirectory() ? "folder" : "file";
}

/** The target of the link at a path; null: it exists and is no link; undefined: nothing exists there. */
type ReadLink = (path: string) => string | null | undefined;

/** Paths of one request share most of their folders. */
function cacheLinks(cachedReadLink: ReadLink): ReadLink {
  const cache = new Map<string, string | null | undefined>();
  return (path) => {
    if (cache.has(path)) return cache.get(path);
    if (cache.size >= MAX_LOOKUPS) giveUp();
    const target = cachedReadLink(path);
    cache.set(path, target);
    return target;
  };
}

/**
 * Follows every link from the root down, inspecting each folder once, up to the first part that does not
 * exist. A link to a missing target is followed too, since a write through it creates the file there.
 */
function realPath(path: string, readLink: ReadLink): string {
  let rest = partsOf(path);
  let real = "";
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === "..") {
      real = real.slice(0, real.lastIndexOf(sep));
      continue;
    }
    const next = `${real}${sep}${part}`;
    const target = next.length > MAX_PATH_BYTES ? undefined : readLink(next);
    if (target === undefined || (target !== null && ++links > MAX_LINKS)) return join(next, rest);
    if (target === null) {
      real = next;
      continue;
    }
    if (target.startsWith(sep)) real = "";
    rest = [...rest, ...partsOf(target)];
  }
  return real === "" ? sep : real;
}

/** The parts of a path, in reverse order. */
function partsOf(path: string): string[] {
  return path
    .split(sep)
    .filter((part) => part !== "" && part !== ".")
    .reverse();
}

/** `..` behind a missing folder is resolved by name. */
function join(real: string, rest: readonly string[]): string {
  return resolve(real, ...rest.toReversed());
}

function linkAt(path: string): string | null | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return undefined;
  }
}
