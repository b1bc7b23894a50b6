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
  /** Something changed in a folder, or it appeared; null: unknown what. */
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
  const wanted = new Map<string, number>();
  const watched = new Map<string, Watched>();
  const placeOf = new Map<string, string>();
  let isTold = false;

  const open = ({ path, inode }: Folder): Watched | null => {
    const known = watched.get(path);
    if (known?.inode === inode) return known;
    known?.watcher.close();
    watched.delete(path);
    try {
      const watcher = watch(path, { persistent: false }, (_kind, name) => told(path, name));
      const opened = { watcher, inode, dirs: known?.dirs ?? new Set<string>() };
      watcher.on("error", () => forget(path, opened));
      watched.set(path, opened);
      return opened;
    } catch (error) {
      for (const dir of known?.dirs ?? []) placeOf.delete(dir);
      if (!isTold && (error as NodeJS.ErrnoException).code !== "ENOENT") {
        isTold = true;
        options.onError(error);
      }
      return null;
    }
  };

  const forget = (path: string, { watcher, dirs }: Watched): void => {
    watcher.close();
    for (const dir of dirs) placeOf.delete(dir);
    if (watched.get(path)?.watcher === watcher) watched.delete(path);
  };

  const leave = (dir: string): void => {
    const path = placeOf.get(dir);
    const place = path === undefined ? undefined : watched.get(path);
    placeOf.delete(dir);
    if (path === undefined || place === undefined) return;
    place.dirs.delete(dir);
    if (place.dirs.size === 0) forget(path, place);
  };

  const settle = (dir: string): void => {
    for (;;) {
      const near = nearestFolder(dir);
      const isThere = placeOf.get(dir) === near.path && watched.get(near.path)?.inode === near.inode;
      if (isThere) return;
      if (placeOf.get(dir) !== near.path) leave(dir);
      const place = open(near);
      if (place === null) return;
      place.dirs.add(dir);
      placeOf.set(dir, near.path);
      // A folder created between the check and the watch would never be reported.
      if (nearestFolder(dir).path !== near.path) continue;
      if (near.path === dir) options.onChange(dir, null);
      return;
    }
  };

  const told = (path: string, name: string | null): void => {
    const place = watched.get(path);
    if (place === undefined) return;
    const dirs = [...place.dirs];
    // The folder's own name means the folder was removed, moved, or its permissions changed. The watch may
    // belong to a removed folder while another one has its name, and even its inode.
    const isItself = name === null || name === basename(path);
    if (isItself) forget(path, place);
    for (const dir of dirs) {
      if (dir === path) options.onChange(dir, name);
      if (wanted.has(dir) && (isItself || isOnWay(path, dir, name))) settle(dir);
    }
  };

  return {
    add(dir) {
      wanted.set(dir, (wanted.get(dir) ?? 0) + 1);
      settle(dir);
    },
    remove(dir) {
      const count = (wanted.get(dir) ?? 0) - 1;
      if (count > 0) wanted.set(dir, count);
      else {
        wanted.delete(dir);
        leave(dir);
      }
    },
    recheck() {
      for (const dir of wanted.keys()) settle(dir);
    },
    close() {
      wanted.clear();
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
      placeOf.clear();
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
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.isDirectory() ? found.ino : null;
  } catch {
    return null;
  }
}

function isOnWay(from: string, to: string, name: string): boolean {
  if (from === to) return false;
  const next = from.endsWith(sep) ? from + name : from + sep + name;
  return to === next || to.startsWith(next + sep);
}
