import { closeSync, openSync, statSync } from "node:fs";

/**
 * Files on which SQLite holds locks for this process: the home's lock and the databases. When a process closes any
 * descriptor of a file, the kernel drops every lock that it has on that file (POSIX), whoever took them. So nothing here
 * may open one of these and close it again.
 */
const locked = new Set<string>();
/** Descriptors that stay open, by device and inode. */
const kept = new Map<string, number>();

const BESIDE = ["", "-wal", "-shm", "-journal"];

export function noteLockedFiles(databases: readonly string[]): void {
  for (const path of databases) for (const end of BESIDE) locked.add(`${path}${end}`);
}

/** By whatever path. */
export function isLockedFile(path: string): boolean {
  const file = keyOf(path);
  return file !== null && [...locked].some((one) => keyOf(one) === file);
}

/** To read a locked file. Not to be closed. */
export function openLockedFile(path: string): number {
  const current = new Set([...locked].map(keyOf));
  for (const [file, fd] of kept) {
    // A database that was replaced: nobody holds a lock on that file any more.
    if (current.has(file)) continue;
    kept.delete(file);
    closeSync(fd);
  }
  const file = keyOf(path) ?? path;
  const fd = kept.get(file) ?? openSync(path, "r");
  kept.set(file, fd);
  return fd;
}

function keyOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
