import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** How much of a file's start distinguishes it from another file with the same inode. */
const HEAD_BYTES = 1024;

/**
 * A text that stays the same while a file is only appended to, and differs for another file even with a
 * reused inode. The first line must be complete; until then there is no identity.
 */
export function fileIdentity(path: string): string | null {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    return fdIdentity(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whether a line ends right before this offset: unlikely in a file that was truncated and regrew. */
export function isLineStart(fd: number, offset: number): boolean {
  if (offset === 0) return true;
  const byte = Buffer.alloc(1);
  return readSync(fd, byte, 0, 1, offset - 1) === 1 && byte[0] === 0x0a;
}

/** Whether a file still has this identity and was not truncated before this offset. */
export function isSameFile(path: string, identity: string | null, offset: number): boolean {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return false;
  }
  try {
    return fdIdentity(fd) === identity && fstatSync(fd).size >= offset && isLineStart(fd, offset);
  } finally {
    closeSync(fd);
  }
}

export function fdIdentity(fd: number): string | null {
  const { ino } = fstatSync(fd, { bigint: true });
  const head = Buffer.alloc(HEAD_BYTES);
  const length = readSync(fd, head, 0, HEAD_BYTES, 0);
  const newline = head.subarray(0, length).indexOf(0x0a);
  if (newline === -1 && length < HEAD_BYTES) return null;
  const line = head.subarray(0, newline === -1 ? length : newline);
  return `${ino}-${createHash("sha256").update(line).digest("hex").slice(0, 16)}`;
}
