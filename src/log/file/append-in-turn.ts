import type { HooklineEvent } from "../../event/event.ts";
import type { Position } from "../log.ts";
import { createQueue } from "./queue.ts";
import type { RecentBatches } from "./recent-batches.ts";
import { createRecentLines } from "./recent-lines.ts";
import type { LogWriter } from "./writer.ts";

/** Appends one after the other, and holds what was appended until a view has read it. */
export interface TurnAppender {
  append(lines: readonly string[], events: readonly HooklineEvent[] | undefined): Promise<Position>;
  /** Appends again what no view has read: it may have gone with a part of the log. Gives how many lines. */
  appendUnread(): Promise<number>;
  /** A view has read these lines. */
  applied(lines: readonly string[]): void;
  /** Between two appends. */
  rotate(): Promise<void>;
  idle(): Promise<void>;
}

export function createTurnAppender(writer: LogWriter, recent: RecentBatches): TurnAppender {
  const unread = createRecentLines();
  const inTurn = createQueue();

  const append: TurnAppender["append"] = (lines, events) =>
    inTurn.run(async () => {
      unread.begin(lines);
      const appended = await writer.append(lines).catch((error: unknown) => {
        unread.abort();
        throw error;
      });
      unread.commit();
      return recent.add(lines, events, appended);
    });

  return {
    append,
    async appendUnread() {
      // A part of the log is gone, whoever noticed: places that were written down before mean another file.
      recent.clear();
      const lines = unread.take();
      try {
        await append(lines, undefined);
      } catch (error) {
        unread.add(lines);
        throw error;
      }
      return lines.length;
    },
    applied: (lines) => unread.read(lines),
    rotate: () => inTurn.run(() => writer.rotate()),
    idle: () => inTurn.idle(),
  };
}
