import { type Dirent, lstatSync, opendirSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Env } from "../home.ts";
import type { FolderEntry, FolderListing, World } from "../policy/request.ts";

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** The machine as the policy may see it. */
export function realWorld(env: Env = process.env): World {
  return {
    home: env["HOME"] || homedir(),
    realPath: (path) => realPath(resolve(path), MOST_LINKS),
    entries: (folder) => entriesOf(folder),
  };
}

const MAX_ENTRIES = 10_000;

/** Lists a folder, up to a number of entries; more are not worth the wait. */
export function entriesOf(folder: string): FolderListing {
  try {
    const dir = opendirSync(folder, { bufferSize: 512 });
    try {
      const entries: FolderEntry[] = [];
      for (let each = dir.readSync(); each !== null; each = dir.readSync()) {
        if (entries.length >= MAX_ENTRIES) return "unknown";
        entries.push({ name: each.name, kind: kindOf(each) });
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

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  return entry.isDirectory() ? "folder" : "file";
}

function realPath(path: string, linksLeft: number): string {
  const rest: string[] = [];
  for (let dir = path; ; dir = dirname(dir)) {
    const real = resolved(dir);
    if (real !== null) return join(real, ...rest);
    const target = linkTarget(dir);
    // A link to what is not there yet: a write through it makes the file there.
    if (target !== null)
      return linksLeft === 0 ? path : realPath(join(resolve(dirname(dir), target), ...rest), linksLeft - 1);
    if (dir === dirname(dir)) return path;
    rest.unshift(basename(dir));
  }
}

function resolved(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
