import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { fdIdentity, isLineStart } from "../files/file-identity.ts";
import { isLockedFile } from "../files/locked-files.ts";

/** How far a file that others write has been read. `inode` also detects a new file with a reused inode. */
export interface TailPosition {
  readonly inode: string;
  readonly byteOffset: number;
}

export interface TailRead {
  readonly lines: readonly string[];
  readonly next: TailPosition;
  /** The file was replaced or truncated: read from its start. */
  readonly isReplaced: boolean;
}

const MAX_BYTES = 1024 * 1024;

/**
 * Returns the complete lines after a position, at most about a megabyte. An incomplete last line waits. Null
 * if there is no file, or no complete line yet in a file that is new to us.
 */
export function tailFile(
  path: string,
  from: TailPosition | undefined,
  maxBytes = MAX_BYTES,
): TailRead | null {
  let fd: number;
  try {
    // A payload may name a locked file as its transcript: closing that would release the lock on our home.
    if (isLockedFile(path)) return null;
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const inode = fdIdentity(fd);
    if (inode === null) return null;
    const { size } = fstatSync(fd);
    const isReplaced =
      from !== undefined &&
      (from.inode !== inode || size < from.byteOffset || !isLineStart(fd, from.byteOffset));
    const start = from === undefined || isReplaced ? 0 : from.byteOffset;
    const [lines, used] = readLines(fd, start, size, maxBytes);
    return { lines, next: { inode, byteOffset: start + used }, isReplaced: isReplaced };
  } finally {
    closeSync(fd);
  }
}

function readLines(
  fd: number,
  start: number,
  size: number,
  maxBytes: number,
): [lines: string[], used: number] {
  // A line may be longer than the usual read size: then reads as much as it needs.
  for (
    let bytesToRead = Math.min(maxBytes, size - start);
    bytesToRead > 0;
    bytesToRead = Math.min(bytesToRead * 2, size - start)
  ) {
    const buffer = Buffer.alloc(bytesToRead);
    const length = readSync(fd, buffer, 0, bytesToRead, start);
    const end = buffer.subarray(0, length).lastIndexOf(0x0a);
    if (end !== -1) return [buffer.toString("utf8", 0, end).split("\n"), end + 1];
    if (length < bytesToRead || bytesToRead === size - start) break;
  }
  return [[], 0];
}
