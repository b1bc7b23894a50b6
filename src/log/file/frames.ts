import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";

/**
 * A compressed segment: zstd frames of about a megabyte of complete lines, each with a content checksum, then
 * a skippable frame with the segment's length. So damage is always detected, truncation included, and costs
 * one frame. `zstd -dc` reads it. Segments of earlier versions are one frame without a checksum and without
 * an end.
 */
export interface DecodedFrame {
  /** Its lines; null if the frame is damaged. */
  readonly content: Buffer | null;
  /** The first frame of a segment that an earlier version wrote. */
  readonly isUnchecked: boolean;
}

export const FRAME_BYTES = 1024 * 1024;
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const TRAILER_MAGIC = Buffer.from([0x5a, 0x2a, 0x4d, 0x18]);
const TRAILER_BYTES = 16;
const CHECKSUM_FLAG = 0b100;
const COMPRESS_OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Ends a frame at the first line break after a megabyte; `rest` belongs to the next one. */
export function splitFrame(buffer: Buffer): { frame: Buffer; rest: Buffer } | null {
  if (buffer.length < FRAME_BYTES) return null;
  const newline = buffer.indexOf(0x0a, FRAME_BYTES - 1);
  if (newline === -1) return null;
  return { frame: buffer.subarray(0, newline + 1), rest: buffer.subarray(newline + 1) };
}

export async function packFrame(lines: Buffer): Promise<Buffer> {
  return (await compress(lines, COMPRESS_OPTIONS)) as Buffer;
}

export function packTrailer(plainBytes: number): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  TRAILER_MAGIC.copy(trailer);
  trailer.writeUInt32LE(TRAILER_BYTES - 8, 4);
  trailer.writeBigUInt64LE(BigInt(plainBytes), 8);
  return trailer;
}

/** Whether a segment has checksums, by its first bytes. An empty one has only its end frame. */
export async function hasChecksums(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(5), 0, 5, 0);
    return bytesRead < 5 || !startsWith(buffer, 0, MAGIC) || (buffer[4]! & CHECKSUM_FLAG) !== 0;
  } finally {
    await handle.close();
  }
}

/** Compresses a whole segment in one go. */
export async function packSegment(plain: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  let rest = plain;
  for (let split = splitFrame(rest); split !== null; split = splitFrame(rest)) {
    parts.push(await packFrame(split.frame));
    rest = split.rest;
  }
  if (rest.length > 0) parts.push(await packFrame(rest));
  return Buffer.concat([...parts, packTrailer(plain.length)]);
}

/** Yields the frames of a segment, in order. After a damaged one, continues at the next that can be found. */
export async function* readFrames(stored: Buffer): AsyncGenerator<DecodedFrame> {
  let at = 0;
  let plainBytes = 0;
  let isUnchecked = false;
  let isDamaged = false;
  while (at < stored.length) {
    if (startsWith(stored, at, TRAILER_MAGIC)) {
      const isComplete =
        at + TRAILER_BYTES === stored.length && Number(stored.readBigUInt64LE(at + 8)) === plainBytes;
      if (!isComplete && !isDamaged) yield { content: null, isUnchecked };
      return;
    }
    const end = frameEnd(stored, at);
    const content = end === null ? null : await decompress(stored.subarray(at, end)).catch(() => null);
    if (at === 0) isUnchecked = (stored[4]! & CHECKSUM_FLAG) === 0;
    isDamaged ||= content === null;
    plainBytes += content?.length ?? 0;
    yield { content: content as Buffer | null, isUnchecked };
    at = content !== null ? end! : nextFrame(stored, at + 1);
  }
  // Earlier versions wrote no end; otherwise a missing end means truncation.
  if (!(isUnchecked && stored.length > 0) && !isDamaged) yield { content: null, isUnchecked };
}

function startsWith(stored: Buffer, at: number, magic: Buffer): boolean {
  return stored.length >= at + 4 && stored.compare(magic, 0, 4, at, at + 4) === 0;
}

/** Where the next frame may start; a false match fails its checksum. */
function nextFrame(stored: Buffer, from: number): number {
  const candidates = [MAGIC, TRAILER_MAGIC]
    .map((magic) => stored.indexOf(magic, from))
    .filter((at) => at !== -1);
  return candidates.length === 0 ? stored.length : Math.min(...candidates);
}

const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];

/** Where a zstd frame ends (RFC 8878, 3.1.1); null if it is incomplete. */
function frameEnd(stored: Buffer, start: number): number | null {
  if (!startsWith(stored, start, MAGIC) || start + 5 > stored.length) return null;
  const descriptor = stored[start + 4]!;
  const isSingleSegment = (descriptor & 0b10_0000) !== 0;
  const sizeFlag = descriptor >> 6;
  let at = start + 5 + (isSingleSegment ? 0 : 1) + DICTIONARY_BYTES[descriptor & 0b11]!;
  at += sizeFlag === 0 && isSingleSegment ? 1 : SIZE_BYTES[sizeFlag]!;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > stored.length) return null;
    const header = stored.readUIntLE(at, 3);
    const [type, size] = [(header >> 1) & 0b11, header >> 3];
    if (type === 3) return null;
    isLast = (header & 1) === 1;
    at += 3 + (type === 1 ? 1 : size);
  }
  if ((descriptor & CHECKSUM_FLAG) !== 0) at += 4;
  return at <= stored.length ? at : null;
}
