import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { identityOf } from "../../files/file-identity.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { closedPath, type LogFiles, listSegments } from "./segments.ts";

export interface LogWriter {
  /**
   * Appends whole lines and returns when they are on the disk, under the log's name. All of them, or none:
   * a failed write is cut off again. One call at a time. Gives where they begin and end.
   */
  append(lines: readonly string[]): Promise<Appended>;
  /** Closes the active segment, if it holds anything, and begins the next. */
  rotate(): Promise<void>;
  readonly segment: number;
  close(): Promise<void>;
}

export interface Appended {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
  /** Of the active file; null when the segment was closed by this append. */
  readonly identity: string | null;
}

export interface LogWriterOptions {
  readonly rotateBytes: number;
  /** Somebody deleted, replaced or cut the active file: what it held is gone from the log. */
  readonly onLost?: (segment: number) => void;
  readonly onRotated?: (segment: number) => void;
}

/** The one writer of a log. Cuts off a torn last line first: it was never accepted. */
export async function openLogWriter(log: LogFiles, options: LogWriterOptions): Promise<LogWriter> {
  let active = await openActive(log);

  /** The next file first: where it cannot be opened, this one stays, and the next append tries again. */
  const reopen = async (): Promise<void> => {
    const before = active;
    active = await openActive(log);
    await before.handle.close().catch(() => undefined);
  };

  const replace = async (): Promise<void> => {
    const { segment } = active;
    await reopen();
    options.onLost?.(segment);
  };

  const rotate = async (): Promise<void> => {
    if (active.size === 0) return;
    if (!isInPlace(log, active)) return replace();
    const { segment } = active;
    await rename(log.active, closedPath(log, segment));
    await reopen();
    await syncFolder(dirname(log.active));
    options.onRotated?.(segment);
  };

  return {
    get segment() {
      return active.segment;
    },
    async append(lines) {
      if (lines.length === 0) {
        const { segment, size } = active;
        return { segment, start: size, end: size, identity: identityNow(active) };
      }
      const bytes = toBytes(lines);
      for (let attempt = 0; ; attempt++) {
        await appendBytes(active, bytes);
        if (isInPlace(log, active)) break;
        if (attempt === 3) throw new Error(`the log ${log.active} is replaced again and again`);
        await replace();
      }
      const { segment, size: end } = active;
      const identity = identityNow(active);
      if (end >= options.rotateBytes) await rotate();
      const isActive = active.segment === segment;
      return { segment, start: end - bytes.length, end, identity: isActive ? identity : null };
    },
    rotate,
    async close() {
      await active.handle.close();
    },
  };
}

/** Line by line into one buffer: joined, one letter outside Latin-1 would make all of them twice as large. */
function toBytes(lines: readonly string[]): Buffer {
  let most = lines.length;
  for (const line of lines) most += Buffer.byteLength(line);
  const bytes = Buffer.allocUnsafe(most);
  let at = 0;
  for (const line of lines) {
    at += bytes.write(line, at);
    bytes[at++] = 0x0a;
  }
  return bytes;
}

interface Active {
  readonly handle: FileHandle;
  readonly segment: number;
  readonly inode: bigint;
  size: number;
  /** Null until the first line is whole. */
  identity: string | null;
}

function identityNow(active: Active): string | null {
  active.identity ??= identityOf(active.handle.fd);
  return active.identity;
}

async function openActive(log: LogFiles): Promise<Active> {
  makeFolder(dirname(log.active));
  const isNew = !existsSync(log.active);
  if (!isNew) cutTornLine(log.active);
  const handle = await open(log.active, constants.O_CREAT | constants.O_APPEND | constants.O_RDWR, 0o600);
  if (isNew) await syncFolder(dirname(log.active));
  const { ino, size } = fstatSync(handle.fd, { bigint: true });
  return {
    handle,
    segment: listSegments(log).at(-1)!.number,
    inode: ino,
    size: Number(size),
    identity: null,
  };
}

async function appendBytes(active: Active, bytes: Buffer): Promise<void> {
  try {
    let written = 0;
    while (written < bytes.length) {
      written += (await active.handle.write(bytes, written, bytes.length - written)).bytesWritten;
    }
    await active.handle.datasync();
    active.size += bytes.length;
  } catch (error) {
    // Half a batch must not stay: the next append would continue its last line.
    ftruncateSync(active.handle.fd, active.size);
    throw error;
  }
}

/** The bytes are only worth something where readers will look for them. */
function isInPlace(log: LogFiles, active: Active): boolean {
  try {
    const found = statSync(log.active, { bigint: true });
    return found.ino === active.inode && Number(found.size) === active.size;
  } catch {
    return false;
  }
}

function cutTornLine(path: string): void {
  const fd = openSync(path, "r+");
  try {
    const { size } = fstatSync(fd);
    const chunk = Buffer.alloc(64 * 1024);
    let end = size;
    while (end > 0) {
      const start = Math.max(0, end - chunk.length);
      const length = readSync(fd, chunk, 0, end - start, start);
      const newline = chunk.subarray(0, length).lastIndexOf(0x0a);
      if (newline !== -1) {
        end = start + newline + 1;
        break;
      }
      end = start;
    }
    if (end < size) ftruncateSync(fd, end);
  } finally {
    closeSync(fd);
  }
}

export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
