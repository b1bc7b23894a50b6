import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** How much of a file's beginning tells it from another file that got the same inode. */
const HEAD_BYTES = 1024;

/**
 * A text that stays the same while a file is only appended to, and differs for another file even when the
 * file system has given it the same inode. The first line must be whole; until then there is no identity.
 */
export function fileIdentity(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    return identityOf(fd);
  } finally {
    closeSync(fd);
  }
}

export function identityOf(fd: number): string | null {
  const { ino } = fstatSync(fd, { bigint: true });
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(fd, head, 0, HEAD_BYTES, 0);
  const newline = head.subarray(0, length).indexOf(0x0a);
  if (newline === -1 && length < HEAD_BYTES) return null;
  const line = head.subarray(0, newline === -1 ? length : newline);
  return `${ino}-${createHash("sha256").update(line).digest("hex").slice(0, 16)}`;
}
