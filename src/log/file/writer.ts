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
import { fdIdentity } from "../../files/file-identity.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { closedPath, type LogFiles, listSegments } from "./segments.ts";

export interface LogWriter {
  /**
   * Appends complete lines and resolves when they are durable under the log's name. All of them, or none: a
   * failed write is truncated again. One call at a time. Returns where they start and end.
   */
  append(lines: readonly string[]): Promise<AppendedRange>;
  /** Closes the active segment, if it holds anything, and starts the next. */
  rotate(): Promise<void>;
  readonly segment: number;
  close(): Promise<void>;
}

export interface AppendedRange {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
  /** The identity of the active file; null if this append closed the segment. */
  readonly identity: string | null;
}

export interface LogWriterOptions {
  readonly rotateBytes: number;
  /** The active file was deleted, replaced or truncated: its content is lost from the log. */
  readonly onLost?: (segment: number) => void;
  readonly onRotated?: (segment: number) => void;
}

/** The only writer of a log. First truncates a torn last line: it was never accepted. */
export async function openLogWriter(log: LogFiles, options: LogWriterOptions): Promise<LogWriter> {
  let active = await openActive(log);

  /** Opens the next file first: if that fails, this one stays, and the next append tries again. */
  const reopen = async (): Promise<void> => {
    const previous = active;
    active = await openActive(log);
    await previous.handle.close().catch(() => undefined);
  };

  const reopenLostFile = async (): Promise<void> => {
    const { segment } = active;
    await reopen();
    options.onLost?.(segment);
  };

  const rotate = async (): Promise<void> => {
    if (active.size === 0) return;
    if (!isStillActiveFile(log, active)) return reopenLostFile();
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
        return { segment, start: size, end: size, identity: identityOf(active) };
      }
      let bytes = 0;
      for (let attempt = 0; ; attempt++) {
        bytes = await appendLines(active, lines);
        if (isStillActiveFile(log, active)) break;
        if (attempt === 3) throw new Error(`the log ${log.active} keeps being replaced by another program`);
        await reopenLostFile();
      }
      const { segment, size: end } = active;
      const identity = identityOf(active);
      if (end >= options.rotateBytes) await rotate();
      const isActive = active.segment === segment;
      return { segment, start: end - bytes, end, identity: isActive ? identity : null };
    },
    rotate,
    async close() {
      await active.handle.close();
    },
  };
}

/**
 * One shared chunk: a buffer per batch would stay allocated until the next full collection, and cost page
 * faults.
 */
const CHUNK_BYTES = 256 * 1024;
/** The maximum UTF-8 bytes for one UTF-16 code unit. */
const MAX_UNIT_BYTES = 3;

/**
 * Encodes the lines in chunks that share one buffer: write each before requesting the next. Line by line,
 * because one character outside Latin-1 would double the size of all joined lines.
 */
function* toChunks(lines: readonly string[]): Generator<Buffer> {
  let needed = 0;
  for (const line of lines) needed += (line.length + 1) * MAX_UNIT_BYTES;
  const chunk = Buffer.allocUnsafe(Math.min(needed, CHUNK_BYTES));
  let used = 0;
  for (const line of lines) {
    const maxBytes = (line.length + 1) * MAX_UNIT_BYTES;
    if (used > 0 && used + maxBytes > chunk.length) {
      yield chunk.subarray(0, used);
      used = 0;
    }
    if (maxBytes > chunk.length) yield Buffer.from(`${line}\n`);
    else {
      used += chunk.write(line, used);
      chunk[used++] = 0x0a;
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}

interface Active {
  readonly handle: FileHandle;
  readonly segment: number;
  readonly inode: bigint;
  size: number;
  /** Null until the first line is complete. */
  identity: string | null;
}

function identityOf(active: Active): string | null {
  active.identity ??= fdIdentity(active.handle.fd);
  return active.identity;
}

async function openActive(log: LogFiles): Promise<Active> {
  makeFolder(dirname(log.active));
  const isNew = !existsSync(log.active);
  if (!isNew) truncateTornLine(log.active);
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

/** Returns the number of bytes. */
async function appendLines(active: Active, lines: readonly string[]): Promise<number> {
  try {
    let bytes = 0;
    for (const chunk of toChunks(lines)) {
      for (let written = 0; written < chunk.length; ) {
        written += (await active.handle.write(chunk, written, chunk.length - written)).bytesWritten;
      }
      bytes += chunk.length;
    }
    await active.handle.datasync();
    active.size += bytes;
    return bytes;
  } catch (error) {
    // Half a batch must not stay: the next append would continue its last line.
    ftruncateSync(active.handle.fd, active.size);
    throw error;
  }
}

/** Appended bytes count only if readers find them under the log's name. */
function isStillActiveFile(log: LogFiles, active: Active): boolean {
  try {
    const stats = statSync(log.active, { bigint: true });
    return stats.ino === active.inode && Number(stats.size) === active.size;
  } catch {
    return false;
  }
}

function truncateTornLine(path: string): void {
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
