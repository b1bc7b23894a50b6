import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { DamagedPartError, type EraseLine } from "../log.ts";
import { packSegment, readFrames } from "./frames.ts";
import { type LogFiles, listSegments, type Segment } from "./segments.ts";
import { syncFolder } from "./writer.ts";

/**
 * Rewrites lines of closed segments in place, padded with blanks to the old length, so that every position
 * stays valid. Returns the number of changed lines.
 */
export async function eraseLines(log: LogFiles, change: EraseLine): Promise<number> {
  let changed = 0;
  for (const segment of listSegments(log)) {
    if (segment.kind === "active") continue;
    // A leftover of an interrupted compression still has the unchanged lines.
    if (segment.kind === "closed") rmSync(`${segment.path}.zst`, { force: true });
    const stored = readFileSync(segment.path);
    const plain = segment.kind === "compressed" ? await unpack(segment, stored) : stored;
    const changedHere = await rewriteBuffer(plain, change);
    if (changedHere === 0) continue;
    changed += changedHere;
    const partial = `${segment.path}.partial`;
    writeFileSync(partial, segment.kind === "compressed" ? await packSegment(plain) : plain, {
      mode: 0o600,
    });
    const handle = await open(partial, "r+");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, segment.path);
    await syncFolder(dirname(segment.path));
  }
  return changed;
}

async function unpack({ number, path }: Segment, stored: Buffer): Promise<Buffer> {
  const contents: Buffer[] = [];
  for await (const { content } of readFrames(stored)) {
    if (content === null) throw new DamagedPartError(number, path);
    contents.push(content);
  }
  return Buffer.concat(contents);
}

/** Yields to other work after this many bytes. */
const SLICE_BYTES = 1024 * 1024;

async function rewriteBuffer(buffer: Buffer, change: EraseLine): Promise<number> {
  let changed = 0;
  let nextYieldAt = SLICE_BYTES;
  for (let start = 0; start < buffer.length; ) {
    const newline = buffer.indexOf(0x0a, start);
    const end = newline === -1 ? buffer.length : newline;
    const text =
      end > start && buffer[start] !== 0x20 ? change(buffer.toString("utf8", start, end)) : undefined;
    if (text !== undefined) {
      const fits = Buffer.byteLength(text) <= end - start;
      buffer.fill(0x20, start, end);
      if (fits) buffer.write(text, start);
      changed++;
    }
    start = end + 1;
    if (start < nextYieldAt) continue;
    nextYieldAt = start + SLICE_BYTES;
    await nextTurn();
  }
  return changed;
}
