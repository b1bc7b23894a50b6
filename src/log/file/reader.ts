import { closeSync, createReadStream, openSync, readFileSync } from "node:fs";
import { DamagedPartError } from "../log.ts";
import { readFrames } from "./frames.ts";
import { type LogFiles, listSegments, type Segment, type SegmentOffset } from "./segments.ts";

export interface SegmentBatch {
  /** Complete lines, without their newline. A line may be blank: erased content keeps its position. */
  readonly lines: readonly string[];
  readonly segment: number;
  /** Where to continue after this batch. */
  readonly next: SegmentOffset;
}

const BATCH_BYTES = 1024 * 1024;

/**
 * Yields all complete lines after a position, in order, to the current end of the log. A torn last line
 * waits. A position in a missing segment continues at the next existing one. Throws `DamagedPartError`.
 */
export async function* readSegments(
  log: LogFiles,
  from: SegmentOffset,
  batchBytes = BATCH_BYTES,
): AsyncGenerator<SegmentBatch> {
  // Rotation and compression rename files while we read: the list is rebuilt after each segment.
  let position = from;
  for (;;) {
    const segment = listSegments(log).find((candidate) => candidate.number >= position.segment);
    if (segment === undefined) return;
    if (segment.number > position.segment) position = { segment: segment.number, offset: 0 };
    const cursor = { offset: position.offset };
    const opened = yield* readSegment(log, segment, cursor, batchBytes);
    position = { segment: segment.number, offset: cursor.offset };
    const current = listSegments(log).find((candidate) => candidate.number === segment.number);
    if (current?.path !== segment.path && current !== undefined && (!opened || segment.kind === "active"))
      continue;
    if (segment.kind === "active") return;
    position = { segment: segment.number + 1, offset: 0 };
  }
}

/** Advances the cursor over complete lines; returns false if the file could not be opened. */
async function* readSegment(
  log: LogFiles,
  segment: Segment,
  cursor: { offset: number },
  batchBytes: number,
): AsyncGenerator<SegmentBatch, boolean> {
  const fd = openExpected(log, segment);
  if (fd === null) return false;
  let skip = segment.kind === "compressed" ? cursor.offset : 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const takeBatch = (): SegmentBatch | null => {
    const [lines, usedBytes, rest] = splitLines(Buffer.concat(pending));
    pending = rest.length > 0 ? [rest] : [];
    pendingBytes = rest.length;
    cursor.offset += usedBytes;
    return usedBytes > 0
      ? { lines, segment: segment.number, next: { segment: segment.number, offset: cursor.offset } }
      : null;
  };
  for await (const raw of openSegment(segment, fd, cursor.offset)) {
    const chunk = raw.subarray(Math.min(skip, raw.length));
    skip -= raw.length - chunk.length;
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < batchBytes || !chunk.includes(0x0a)) continue;
    const batch = takeBatch();
    if (batch !== null) yield batch;
  }
  const batch = takeBatch();
  if (batch !== null) yield batch;
  return true;
}

/**
 * Opens the segment's file; null if its name may now belong to another file. A rotation renames the active
 * file and creates a new one: if the segment is still active after opening, the right file was opened.
 */
function openExpected(log: LogFiles, segment: Segment): number | null {
  let fd: number;
  try {
    fd = openSync(segment.path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return null;
  }
  if (segment.kind !== "active" || listSegments(log).at(-1)!.number === segment.number) return fd;
  closeSync(fd);
  return null;
}

async function* openSegment(segment: Segment, fd: number, offset: number): AsyncGenerator<Buffer> {
  if (segment.kind !== "compressed") {
    for await (const chunk of createReadStream("", { fd, start: offset, highWaterMark: 256 * 1024 }))
      yield chunk as Buffer;
    return;
  }
  // A frame is yielded only after its checksum was verified.
  for await (const { content } of readFrames(readAll(fd))) {
    if (content === null) throw new DamagedPartError(segment.number, segment.path);
    yield content;
  }
}

function readAll(fd: number): Buffer {
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** LF only: U+2028 and its like are legal inside JSON. */
function splitLines(buffer: Buffer): [lines: string[], usedBytes: number, rest: Buffer] {
  const end = buffer.lastIndexOf(0x0a);
  if (end === -1) return [[], 0, buffer];
  const lines: string[] = [];
  // One by one: a character outside Latin-1 doubles its string's size, and should only double its line.
  for (let start = 0; start <= end; ) {
    const newline = buffer.indexOf(0x0a, start);
    lines.push(buffer.toString("utf8", start, newline));
    start = newline + 1;
  }
  return [lines, end + 1, buffer.subarray(end + 1)];
}
