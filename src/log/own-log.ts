import { compressClosed } from "./compress.ts";
import type { LogBatch } from "./reader.ts";
import { createRecentLines } from "./recent-lines.ts";
import type { LogFiles, LogPosition } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

/** The log as its one owner has it: appends in a row, looks after closed segments, knows what nobody has read. */
export interface OwnLog {
  readonly files: LogFiles;
  /** Whoever has lines comes through here: capture, import, restoring. */
  append(lines: readonly string[], values?: readonly unknown[]): Promise<void>;
  /** What was appended at a position a moment ago, with its values: a view need not read and parse it again. */
  fresh(position: LogPosition): LogBatch | undefined;
  rotate(): Promise<void>;
  /** Work that reads or rewrites closed segments (compressing, removing, rebuilding): one after the other. */
  tend<T>(work: () => Promise<T>): Promise<T>;
  compress(): void;
  /** A view has taken these. */
  read(lines: readonly string[]): void;
  /** Segments that were cut or removed while in use, since this was last asked. */
  takeCut(): number[];
  /** Says again that they are to be mended. */
  giveBackCut(segments: readonly number[]): void;
  /** Appends again what was appended and nobody has read: it may be gone with what was cut. */
  appendUnread(): Promise<number>;
  close(): Promise<void>;
}

export interface OwnLogOptions {
  readonly rotateBytes: number;
  readonly onNotice: (message: string) => void;
}

const MOST_FRESH = 4;

export async function openOwnLog(files: LogFiles, options: OwnLogOptions): Promise<OwnLog> {
  const recent = createRecentLines();
  const cut = new Set<number>();
  const fresh = new Map<string, LogBatch>();
  let last: LogPosition | null = null;
  /** Where the segment before the last append ended: a view that has read that far goes on at the next one's start. */
  let closedAt: LogPosition | null = null;
  const forgetPlaces = (): void => {
    fresh.clear();
    last = null;
    closedAt = null;
  };
  const tend = createQueue();
  const inTurn = createQueue();

  const compress = (): void => {
    tend
      .run(() => compressClosed(files))
      .catch((error) => options.onNotice(`compressing the log failed: ${error}`));
  };
  const writer = await openLogWriter(files, {
    rotateBytes: options.rotateBytes,
    onRotated: compress,
    onLost: (segment) => {
      cut.add(segment);
      // Their places belong to a file that is gone.
      forgetPlaces();
      options.onNotice(
        `the log ${files.active} was removed or cut while in use; restoring it from the database`,
      );
    },
  });
  const append = (lines: readonly string[], values?: readonly unknown[]): Promise<void> =>
    inTurn.run(async () => {
      recent.begin(lines);
      const { segment, start, end } = await writer.append(lines).catch((error: unknown) => {
        recent.abort();
        throw error;
      });
      recent.commit();
      if (last !== null && last.segment === segment - 1 && start === 0) closedAt = last;
      last = { segment, offset: end };
      if (values === undefined || lines.length === 0) return;
      fresh.set(`${segment}:${start}`, { lines, values, segment, next: { segment, offset: end } });
      if (fresh.size > MOST_FRESH) fresh.delete(fresh.keys().next().value!);
    });

  return {
    files,
    append,
    rotate: () => inTurn.run(() => writer.rotate()),
    tend: (work) => tend.run(work),
    compress,
    fresh({ segment, offset }) {
      const isClosed = closedAt !== null && closedAt.segment === segment && closedAt.offset === offset;
      const key = isClosed ? `${segment + 1}:0` : `${segment}:${offset}`;
      const batch = fresh.get(key);
      fresh.delete(key);
      return batch;
    },
    read: (lines) => recent.read(lines),
    takeCut() {
      const segments = [...cut];
      cut.clear();
      return segments;
    },
    giveBackCut(segments) {
      for (const segment of segments) cut.add(segment);
    },
    async appendUnread() {
      // A part of the log is gone, whoever noticed: places that were written down before mean another file.
      forgetPlaces();
      const unread = recent.take();
      try {
        await append(unread);
      } catch (error) {
        recent.add(unread);
        throw error;
      }
      return unread.length;
    },
    async close() {
      await inTurn.idle();
      await tend.idle();
      await writer.close();
    },
  };
}

interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  idle(): Promise<void>;
}

/** One piece of work at a time; one that fails does not hold up the next. */
function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const next = last.then(work);
      last = next.catch(() => undefined);
      return next;
    },
    async idle() {
      await last;
    },
  };
}
