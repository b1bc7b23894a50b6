import type { HooklineEvent } from "../../event/event.ts";
import type { LogBatch, Position } from "../log.ts";
import { toPlace, toPosition } from "./position.ts";
import type { LogPosition } from "./segments.ts";
import type { Appended } from "./writer.ts";

/** The last batches that were appended, for the view that follows: it need not read and parse them again. */
export interface RecentBatches {
  /** Gives where the batch ends. Without events only that is noted. */
  add(lines: readonly string[], events: readonly HooklineEvent[] | undefined, appended: Appended): Position;
  /** The batch after a position, once. */
  take(after: Position | undefined): LogBatch | undefined;
  clear(): void;
}

const MAX_BATCHES = 4;

export function createRecentBatches(): RecentBatches {
  const batches = new Map<string, LogBatch>();
  let last: LogPosition | null = null;
  /** Where the segment before the last append ended: a view that has read that far goes on at the next one's start. */
  let closedAt: LogPosition | null = null;
  return {
    add(lines, events, { segment, start, end, identity }) {
      if (last !== null && last.segment === segment - 1 && start === 0) closedAt = last;
      last = { segment, offset: end };
      const next = toPosition({ segment, offset: end, identity });
      if (events === undefined || lines.length === 0) return next;
      batches.set(`${segment}:${start}`, { lines, events, part: segment, next });
      if (batches.size > MAX_BATCHES) batches.delete(batches.keys().next().value!);
      return next;
    },
    take(after) {
      const { segment, offset } = toPlace(after);
      const isClosed = closedAt !== null && closedAt.segment === segment && closedAt.offset === offset;
      const key = isClosed ? `${segment + 1}:0` : `${segment}:${offset}`;
      const batch = batches.get(key);
      batches.delete(key);
      return batch;
    },
    clear() {
      batches.clear();
      last = null;
      closedAt = null;
    },
  };
}
