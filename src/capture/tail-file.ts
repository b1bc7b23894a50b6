import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { identityOf, isLineStart } from "../files/file-identity.ts";
import { isLockedFile } from "../files/locked-files.ts";

/** How far a file that others write has been read. `inode` also tells a file that got a used inode. */
export interface TailPosition {
  readonly inode: string;
  readonly byteOffset: number;
}

export interface TailRead {
  readonly lines: readonly string[];
  readonly next: TailPosition;
  /** Another file stands under the name, or it was cut: read from its beginning. */
  readonly isAnother: boolean;
}

const MOST_BYTES = 1024 * 1024;

/**
 * The whole lines after a position, at most about a megabyte of them. A torn last line waits for its end.
 * Null when there is no file, or not one whole line in a file that is new to us.
 */
export function tailFile(
  path: string,
  from: TailPosition | undefined,
  mostBytes = MOST_BYTES,
): TailRead | null {
  let fd: number;
  try {
    // Whoever names it as a transcript must not make us let go of our own home.
    if (isLockedFile(path)) return null;
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const inode = identityOf(fd);
    if (inode === null) return null;
    const { size } = fstatSync(fd);
    const isAnother =
      from !== undefined &&
      (from.inode !== inode || size < from.byteOffset || !isLineStart(fd, from.byteOffset));
    const start = from === undefined || isAnother ? 0 : from.byteOffset;
    const [lines, used] = readLines(fd, start, size, mostBytes);
    return { lines, next: { inode, byteOffset: start + used }, isAnother };
  } finally {
    closeSync(fd);
  }
}

function readLines(
  fd: number,
  start: number,
  size: number,
  mostBytes: number,
): [lines: string[], used: number] {
  // One line may be longer than what is usually read: then as much as it needs.
  for (let want = Math.min(mostBytes, size - start); want > 0; want = Math.min(want * 2, size - start)) {
    const buffer = Buffer.alloc(want);
    const length = readSync(fd, buffer, 0, want, start);
    const end = buffer.subarray(0, length).lastIndexOf(0x0a);
    if (end !== -1) return [buffer.toString("utf8", 0, end).split("\n"), end + 1];
    if (length < want || want === size - start) break;
  }
  return [[], 0];
}
