import type { HooklineEvent } from "../../event/event.ts";
import { createSerialQueue } from "../../serial-queue.ts";
import type { Position } from "../log.ts";
import type { RecentBatches } from "./recent-batches.ts";
import { createUnreadLines } from "./unread-lines.ts";
import type { LogWriter } from "./writer.ts";

/** Serialises appends, and holds appended lines until a view has read them. */
export interface SerialAppender {
  append(lines: readonly string[], events: readonly HooklineEvent[] | undefined): Promise<Position>;
  /** Appends again what no view has read: it may be in a lost part. Returns the number of lines. */
  appendUnread(): Promise<number>;
  /** Call when a view has read these lines. */
  markApplied(lines: readonly string[]): void;
  /** Runs between two appends. */
  rotate(): Promise<void>;
  idle(): Promise<void>;
}

export function createSerialAppender(writer: LogWriter, recent: RecentBatches): SerialAppender {
  const unread = createUnreadLines();
  const appends = createSerialQueue();

  const append: SerialAppender["append"] = (lines, events) =>
    appends.run(async () => {
      unread.startWrite(lines);
      const appended = await writer.append(lines).catch((error: unknown) => {
        unread.abortWrite();
        throw error;
      });
      unread.commitWrite();
      return recent.add(lines, events, appended);
    });

  return {
    append,
    async appendUnread() {
      // A part of the log is lost: positions recorded before refer to another file.
      recent.clear();
      const lines = unread.drain();
      try {
        await append(lines, undefined);
      } catch (error) {
        unread.add(lines);
        throw error;
      }
      return lines.length;
    },
    markApplied: (lines) => unread.markRead(lines),
    rotate: () => appends.run(() => writer.rotate()),
    idle: () => appends.idle(),
  };
}
