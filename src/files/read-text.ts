import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isLockedFile, openLockedFile } from "./locked-files.ts";

const CHUNK_BYTES = 4 * 1024 * 1024;
/** Chunks overlap by this much, so that no shorter text is split. */
const OVERLAP_BYTES = 64 * 1024;

/** Reads a file as text in overlapping chunks. Yields nothing if it cannot be opened. */
export async function* readTextChunks(path: string): AsyncGenerator<string> {
  let fd: number;
  let isLocked = false;
  try {
    isLocked = isLockedFile(path);
    fd = isLocked ? openLockedFile(path) : openSync(path, "r");
  } catch {
    return;
  }
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES + OVERLAP_BYTES);
    for (let offset = 0; ; offset += CHUNK_BYTES) {
      const length = readSync(fd, buffer, 0, buffer.length, offset);
      if (length === 0) return;
      yield buffer.toString("utf8", 0, length);
      if (length < buffer.length) return;
      await nextTurn();
    }
  } finally {
    if (!isLocked) closeSync(fd);
  }
}
