import { toLine } from "../../event/line.ts";
import { createSerialQueue } from "../../serial-queue.ts";
import type { Log } from "../log.ts";
import { compressClosed } from "./compress.ts";
import { findDamagedSegments, removeExpiredQuarantine } from "./damage.ts";
import { eraseLines } from "./erase-lines.ts";
import { openFileLogReader, readLogFiles } from "./file-log-reader.ts";
import { findText, removeLeftovers } from "./find-text.ts";
import { createLostSegmentTracker } from "./lost-segment-tracker.ts";
import { parsePosition } from "./position.ts";
import { readLive } from "./read-live.ts";
import { createRecentBatches } from "./recent-batches.ts";
import { repairSegment, restoreSegments } from "./restore-segments.ts";
import { createSerialAppender } from "./serial-appender.ts";
import { openLogWriter } from "./writer.ts";

export interface FileLogOptions {
  readonly rotateBytes: number;
  readonly nowMs: () => number;
  readonly onNotice: (message: string) => void;
}

/** The default log: one active file, older ones closed by rename and compressed. One process owns it. */
export async function openFileLog(path: string, options: FileLogOptions): Promise<Log> {
  const files = { active: path };
  const recent = createRecentBatches();
  const lostSegments = createLostSegmentTracker(files);
  const upkeep = createSerialQueue();
  await removeExpiredQuarantine(files, options.nowMs());

  const compressInBackground = (): void => {
    upkeep
      .run(() => compressClosed(files))
      .catch((error) => options.onNotice(`could not compress the log: ${error}`));
  };
  const writer = await openLogWriter(files, {
    rotateBytes: options.rotateBytes,
    onRotated: compressInBackground,
    onLost: (segment) => {
      lostSegments.add(segment);
      // Recent positions belong to a file that no longer exists.
      recent.clear();
      options.onNotice(`the log ${path} was removed or cut while in use; restoring it from the database`);
    },
  });
  const appender = createSerialAppender(writer, recent);
  const append: Log["append"] = (events) => appender.append(events.map(toLine), events);

  const restore: Log["restore"] = async (position, known) => {
    const lost = lostSegments.collect(position);
    if (lost === null) return null;
    try {
      const unread = await appender.appendUnread();
      const restored = await restoreSegments(files, lost.segments, known, append);
      return { restored, unread, rereadFrom: lost.rereadFrom };
    } catch (error) {
      lostSegments.putBack(lost);
      throw error;
    }
  };

  return {
    ...openFileLogReader(path),
    read: (after, { live = false } = {}) =>
      live ? readLive(files, recent, after) : readLogFiles(files, after),
    append,
    markApplied: appender.markApplied,
    async erase(change) {
      // Only closed segments are rewritten.
      await appender.rotate();
      return eraseLines(files, change);
    },
    runExclusive: (work) => upkeep.run(work),
    restore,
    damagedParts: async () => (await findDamagedSegments(files)).map(({ number }) => number),
    repair: (part, position, known) =>
      repairSegment(files, part, parsePosition(position).segment > part, known, {
        lines: (lines) => appender.append(lines, undefined),
        events: append,
        nowMs: options.nowMs,
      }),
    tidy: compressInBackground,
    removeLeftovers: () => removeLeftovers(files),
    findText: (isFound) => findText(files, isFound),
    async close() {
      await appender.idle();
      await upkeep.idle();
      await writer.close();
    },
  };
}
