import { closeSync, openSync, statSync } from "node:fs";

/**
 * Files on which SQLite holds locks for this process: the home's lock and the databases. When a process
 * closes any descriptor of a file, the kernel drops all its locks on that file (POSIX), so this process
 * must never open and close one of these.
 */
const locked = new Set<string>();
/** Descriptors that stay open, by device and inode. */
const openDescriptors = new Map<string, number>();

const SQLITE_SUFFIXES = ["", "-wal", "-shm", "-journal"];

export function registerLockedFiles(databases: readonly string[]): void {
  for (const path of databases) for (const suffix of SQLITE_SUFFIXES) locked.add(`${path}${suffix}`);
}

/** Compares by device and inode, so any path to the file counts. */
export function isLockedFile(path: string): boolean {
  const file = keyOf(path);
  return file !== null && [...locked].some((lockedPath) => keyOf(lockedPath) === file);
}

/** Opens a locked file for reading. The descriptor must not be closed. */
export function openLockedFile(path: string): number {
  const current = new Set([...locked].map(keyOf));
  for (const [file, fd] of openDescriptors) {
    // The database was replaced, so there is no lock on the old file any more.
    if (current.has(file)) continue;
    openDescriptors.delete(file);
    closeSync(fd);
  }
  const file = keyOf(path) ?? path;
  const fd = openDescriptors.get(file) ?? openSync(path, "r");
  openDescriptors.set(file, fd);
  return fd;
}

function keyOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
