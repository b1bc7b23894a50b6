import type { HooklineEvent } from "../../event/event.ts";
import { toLine } from "../../event/line.ts";
import type { KnownFacts, Log, LogBatch, Position, RestoreReport } from "../log.ts";
import { compressClosed } from "./compress.ts";
import { findDamaged, sweepAside } from "./damage.ts";
import { eraseLines } from "./erase-lines.ts";
import { openFileLogReader, readFiles } from "./file-log-reader.ts";
import { dropLeftovers, findText } from "./find-text.ts";
import { lostSegments } from "./lost-segments.ts";
import { toPlace, toPosition } from "./position.ts";
import { createQueue } from "./queue.ts";
import { createRecentBatches } from "./recent-batches.ts";
import { createRecentLines } from "./recent-lines.ts";
import { repairSegment, restoreSegments } from "./restore-segments.ts";
import { listSegments } from "./segments.ts";
import { openLogWriter } from "./writer.ts";

export interface FileLogOptions {
  readonly rotateBytes: number;
  readonly nowMs: () => number;
  readonly onNotice: (message: string) => void;
}

/** The default log: one active file, older ones closed by rename and compressed. One process owns it. */
export async function openFileLog(path: string, options: FileLogOptions): Promise<Log> {
  const files = { active: path };
  const unread = createRecentLines();
  const recent = createRecentBatches();
  const cut = new Set<number>();
  const upkeep = createQueue();
  const inTurn = createQueue();
  await sweepAside(files, options.nowMs());

  const tidy = (): void => {
    upkeep
      .run(() => compressClosed(files))
      .catch((error) => options.onNotice(`compressing the log failed: ${error}`));
  };
  const writer = await openLogWriter(files, {
    rotateBytes: options.rotateBytes,
    onRotated: tidy,
    onLost: (segment) => {
      cut.add(segment);
      // Their places belong to a file that is gone.
      recent.clear();
      options.onNotice(`the log ${path} was removed or cut while in use; restoring it from the database`);
    },
  });

  const appendLines = (
    lines: readonly string[],
    events: readonly HooklineEvent[] | undefined,
  ): Promise<Position> =>
    inTurn.run(async () => {
      unread.begin(lines);
      const appended = await writer.append(lines).catch((error: unknown) => {
        unread.abort();
        throw error;
      });
      unread.commit();
      return recent.add(lines, events, appended);
    });
  const append: Log["append"] = (events) => appendLines(events.map(toLine), events);

  /** A part of the log is gone, whoever noticed: places that were written down before mean another file. */
  const appendUnread = async (): Promise<number> => {
    recent.clear();
    const lines = unread.take();
    try {
      await appendLines(lines, undefined);
    } catch (error) {
      unread.add(lines);
      throw error;
    }
    return lines.length;
  };

  const restore = async (
    position: Position | undefined,
    known: KnownFacts,
  ): Promise<RestoreReport | null> => {
    const saved = toPlace(position);
    const wasCut = [...cut];
    const lost = [...new Set([...lostSegments(files, saved), ...wasCut])];
    if (lost.length === 0) return null;
    cut.clear();
    // Where the saved position points is another file now, or has another number: what may be unread begins
    // with the first segment that was cut, or with the active one of this moment.
    const first = Math.min(...wasCut, listSegments(files).at(-1)!.number);
    const from =
      saved.segment < first ? undefined : toPosition({ segment: first, offset: 0, identity: null });
    try {
      const count = await appendUnread();
      return { restored: await restoreSegments(files, lost, known, append), unread: count, from };
    } catch (error) {
      for (const segment of lost) cut.add(segment);
      throw error;
    }
  };

  return {
    ...openFileLogReader(path),
    read: (after, { live = false } = {}) => (live ? readLive(after) : readFiles(files, after)),
    append,
    applied: (lines) => unread.read(lines),
    async erase(change) {
      // Only closed segments are rewritten.
      await inTurn.run(() => writer.rotate());
      return eraseLines(files, change);
    },
    exclusively: (work) => upkeep.run(work),
    restore,
    damagedParts: async () => (await findDamaged(files)).map(({ number }) => number),
    repair: (part, position, known) =>
      repairSegment(files, part, toPlace(position).segment > part, known, {
        lines: (lines) => appendLines(lines, undefined),
        events: append,
        nowMs: options.nowMs,
      }),
    tidy,
    dropLeftovers: () => dropLeftovers(files),
    findText: (isFound) => findText(files, isFound),
    async close() {
      await inTurn.idle();
      await upkeep.idle();
      await writer.close();
    },
  };

  /** What is still in memory at a position, else what the files say; the end of one may be the start of the other. */
  async function* readLive(after: Position | undefined): AsyncGenerator<LogBatch> {
    let position = after;
    for (;;) {
      for (let held = recent.take(position); held !== undefined; held = recent.take(position)) {
        position = held.next;
        yield held;
      }
      let wasRead = false;
      for await (const batch of readFiles(files, position)) {
        position = batch.next;
        wasRead = true;
        yield batch;
        // What was appended meanwhile need not be read and parsed.
        const held = recent.take(position);
        if (held === undefined) continue;
        position = held.next;
        yield held;
        break;
      }
      if (!wasRead) return;
    }
  }
}
