import { closeSync, createReadStream, openSync, readFileSync } from "node:fs";
import { DamagedPartError } from "../log.ts";
import { readFrames } from "./frames.ts";
import { type LogFiles, type LogPosition, listSegments, type Segment } from "./segments.ts";

export interface SegmentBatch {
  /** Whole lines, without their newline. A line may be blank: content that was removed keeps its place. */
  readonly lines: readonly string[];
  readonly segment: number;
  /** Where to go on after this batch. */
  readonly next: LogPosition;
}

const BATCH_BYTES = 1024 * 1024;

/**
 * All whole lines after a position, in order, to the end of the log as it is now. A torn last line waits.
 * A position in a segment that is gone goes on at the next one that is there. Throws `DamagedPartError`.
 */
export async function* readSegments(
  log: LogFiles,
  from: LogPosition,
  batchBytes = BATCH_BYTES,
): AsyncGenerator<SegmentBatch> {
  // Rotation and compression rename files while we read: the list is made anew after each segment.
  let position = from;
  for (;;) {
    const segment = listSegments(log).find((candidate) => candidate.number >= position.segment);
    if (segment === undefined) return;
    if (segment.number > position.segment) position = { segment: segment.number, offset: 0 };
    const cursor = { offset: position.offset };
    const opened = yield* readSegment(log, segment, cursor, batchBytes);
    position = { segment: segment.number, offset: cursor.offset };
    const now = listSegments(log).find((candidate) => candidate.number === segment.number);
    if (now?.path !== segment.path && now !== undefined && (!opened || segment.kind === "active")) continue;
    if (segment.kind === "active") return;
    position = { segment: segment.number + 1, offset: 0 };
  }
}

/** Advances the cursor over whole lines; false when the file was not there to be opened. */
async function* readSegment(
  log: LogFiles,
  segment: Segment,
  cursor: { offset: number },
  batchBytes: number,
): AsyncGenerator<SegmentBatch, boolean> {
  const fd = openMeant(log, segment);
  if (fd === null) return false;
  let skip = segment.kind === "compressed" ? cursor.offset : 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const take = (): SegmentBatch | null => {
    const [lines, used, rest] = wholeLines(Buffer.concat(pending));
    pending = rest.length > 0 ? [rest] : [];
    pendingBytes = rest.length;
    cursor.offset += used;
    return used > 0
      ? { lines, segment: segment.number, next: { segment: segment.number, offset: cursor.offset } }
      : null;
  };
  for await (const raw of openSegment(segment, fd, cursor.offset)) {
    const chunk = raw.subarray(Math.min(skip, raw.length));
    skip -= raw.length - chunk.length;
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < batchBytes || !chunk.includes(0x0a)) continue;
    const batch = take();
    if (batch !== null) yield batch;
  }
  const batch = take();
  if (batch !== null) yield batch;
  return true;
}

/**
 * The file of the segment; null when another one may stand under its name. A rotation renames the active file and
 * makes a new one: when the segment is still the active one after opening, what was opened is it.
 */
function openMeant(log: LogFiles, segment: Segment): number | null {
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
  // A frame is given only once its checksum was seen to hold.
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
function wholeLines(buffer: Buffer): [lines: string[], used: number, rest: Buffer] {
  const end = buffer.lastIndexOf(0x0a);
  if (end === -1) return [[], 0, buffer];
  const lines: string[] = [];
  // Each for itself: one letter outside Latin-1 makes a string twice as large, and only its own line shall be.
  for (let start = 0; start <= end; ) {
    const newline = buffer.indexOf(0x0a, start);
    lines.push(buffer.toString("utf8", start, newline));
    start = newline + 1;
  }
  return [lines, end + 1, buffer.subarray(end + 1)];
}
