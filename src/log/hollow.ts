import { readFileSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { type LogFiles, listSegments } from "./segments.ts";
import { syncFolder } from "./writer.ts";

/**
 * Takes the content of lines out of closed segments and leaves blanks of the same length, so that every
 * position in the log stays what it was. Returns how many lines were emptied.
 */
export async function hollowLines(log: LogFiles, isGone: (line: string) => boolean): Promise<number> {
  let emptied = 0;
  for (const segment of listSegments(log)) {
    if (segment.kind === "active") continue;
    const stored = readFileSync(segment.path);
    const plain = segment.kind === "compressed" ? zstdDecompressSync(stored) : stored;
    const found = hollowBuffer(plain, isGone);
    if (found === 0) continue;
    emptied += found;
    const partial = `${segment.path}.partial`;
    writeFileSync(partial, segment.kind === "compressed" ? zstdCompressSync(plain) : plain, { mode: 0o600 });
    const handle = await open(partial, "r+");
    await handle.sync();
    await handle.close();
    await rename(partial, segment.path);
    await syncFolder(dirname(segment.path));
  }
  return emptied;
}

function hollowBuffer(buffer: Buffer, isGone: (line: string) => boolean): number {
  let emptied = 0;
  for (let start = 0; start < buffer.length; ) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline === -1 ? buffer.length : newline;
    if (end > start && buffer[start] !== 0x20 && isGone(buffer.toString("utf8", start, end))) {
      buffer.fill(0x20, start, end);
      emptied++;
    }
    start = end + 1;
  }
  return emptied;
}
