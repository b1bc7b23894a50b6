import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, sep } from "node:path";

export interface FolderWatches {
  /** The folder need not exist: until it does, its nearest existing ancestor is watched. */
  add(dir: string): void;
  remove(dir: string): void;
  /** Checks every folder again, for lost notifications and for watches that failed before. */
  recheck(): void;
  close(): void;
}

export interface FolderWatchOptions {
  /** Something changed in a folder, or it appeared. A null name means that the change is unknown. */
  readonly onChange: (dir: string, name: string | null) => void;
  /** Called once: the kernel is out of watches, so changes are only found by other means, such as polling. */
  readonly onError: (error: unknown) => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: bigint;
  /** The requested folders that this watch serves: this one, or some below it. */
  readonly dirs: Set<string>;
}

/** Shares one watch per folder, and survives the folder's creation, removal and replacement. */
export function watchFolders(options: FolderWatchOptions): FolderWatches {
  const refCounts = new Map<string, number>();
  const watched = new Map<string, Watched>();
  const watchedPathOf = new Map<string, string>();
  let hasReported = false;

  const open = ({ path, inode }: Folder): Watched | null => {
    const known = watched.get(path);
    if (known?.inode === inode) return known;
    known?.watcher.close();
    watched.delete(path);
    try {
      const watcher = watch(path, { persistent: false }, (_kind, name) => onWatchEvent(path, name));
      const opened = { watcher, inode, dirs: known?.dirs ?? new Set<string>() };
      watcher.on("error", () => forget(path, opened));
      watched.set(path, opened);
      return opened;
    } catch (error) {
      for (const dir of known?.dirs ?? []) watchedPathOf.delete(dir);
      if (!hasReported && (error as NodeJS.ErrnoException).code !== "ENOENT") {
        hasReported = true;
        options.onError(error);
      }
      return null;
    }
  };

  const forget = (path: string, { watcher, dirs }: Watched): void => {
    watcher.close();
    for (const dir of dirs) watchedPathOf.delete(dir);
    if (watched.get(path)?.watcher === watcher) watched.delete(path);
  };

  const unassign = (dir: string): void => {
    const path = watchedPathOf.get(dir);
    const watchedFolder = path === undefined ? undefined : watched.get(path);
    watchedPathOf.delete(dir);
    if (path === undefined || watchedFolder === undefined) return;
    watchedFolder.dirs.delete(dir);
    if (watchedFolder.dirs.size === 0) forget(path, watchedFolder);
  };

  const ensureWatched = (dir: string): void => {
    for (;;) {
      const nearest = nearestFolder(dir);
      const isWatched =
        watchedPathOf.get(dir) === nearest.path && watched.get(nearest.path)?.inode === nearest.inode;
      if (isWatched) return;
      if (watchedPathOf.get(dir) !== nearest.path) unassign(dir);
      const watchedFolder = open(nearest);
      if (watchedFolder === null) return;
      watchedFolder.dirs.add(dir);
      watchedPathOf.set(dir, nearest.path);
      // A folder created between the check and the watch would never be reported.
      if (nearestFolder(dir).path !== nearest.path) continue;
      if (nearest.path === dir) options.onChange(dir, null);
      return;
    }
  };

  const onWatchEvent = (path: string, name: string | null): void => {
    const watchedFolder = watched.get(path);
    if (watchedFolder === undefined) return;
    const dirs = [...watchedFolder.dirs];
    // The folder's own name means the folder was removed, moved, or its permissions changed. The watch may
    // belong to a removed folder while another one has its name, and even its inode.
    const isOwnName = name === null || name === basename(path);
    if (isOwnName) forget(path, watchedFolder);
    for (const dir of dirs) {
      if (dir === path) options.onChange(dir, name);
      if (refCounts.has(dir) && (isOwnName || isBetween(path, dir, name))) ensureWatched(dir);
    }
  };

  return {
    add(dir) {
      refCounts.set(dir, (refCounts.get(dir) ?? 0) + 1);
      ensureWatched(dir);
    },
    remove(dir) {
      const count = (refCounts.get(dir) ?? 0) - 1;
      if (count > 0) refCounts.set(dir, count);
      else {
        refCounts.delete(dir);
        unassign(dir);
      }
    },
    recheck() {
      for (const dir of refCounts.keys()) ensureWatched(dir);
    },
    close() {
      refCounts.clear();
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
      watchedPathOf.clear();
    },
  };
}

interface Folder {
  readonly path: string;
  readonly inode: bigint;
}

function nearestFolder(dir: string): Folder {
  for (let path = dir; ; path = dirname(path)) {
    const inode = inodeOf(path);
    if (inode !== null || path === dirname(path)) return { path, inode: inode ?? 0n };
  }
}

function inodeOf(path: string): bigint | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() ? stats.ino : null;
  } catch {
    return null;
  }
}

function isBetween(from: string, to: string, name: string): boolean {
  if (from === to) return false;
  const next = from.endsWith(sep) ? from + name : from + sep + name;
  return to === next || to.startsWith(next + sep);
}
