import type { HooklineEvent } from "../../event/event.ts";
import type { LogBatch, Position } from "../log.ts";
import { parsePosition, toPosition } from "./position.ts";
import type { SegmentOffset } from "./segments.ts";
import type { AppendedRange } from "./writer.ts";

/** The most recently appended batches, so that the live view need not read and parse them again. */
export interface RecentBatches {
  /** Returns the position where the batch ends. Without events, only that position is recorded. */
  add(
    lines: readonly string[],
    events: readonly HooklineEvent[] | undefined,
    appended: AppendedRange,
  ): Position;
  /** Returns the batch after a position, once. */
  consume(after: Position | undefined): LogBatch | undefined;
  /** Whether nothing was appended after a position. */
  isLast(position: Position): boolean;
  clear(): void;
}

const MAX_BATCHES = 4;

export function createRecentBatches(): RecentBatches {
  const batches = new Map<string, LogBatch>();
  let last: SegmentOffset | null = null;
  /** Where the segment before the last append ended: a view there continues at the next one's start. */
  let closedAt: SegmentOffset | null = null;
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
    consume(after) {
      const { segment, offset } = parsePosition(after);
      const isClosed = closedAt !== null && closedAt.segment === segment && closedAt.offset === offset;
      const key = isClosed ? `${segment + 1}:0` : `${segment}:${offset}`;
      const batch = batches.get(key);
      batches.delete(key);
      return batch;
    },
    isLast(position) {
      const { segment, offset } = parsePosition(position);
      return last !== null && last.segment === segment && last.offset === offset;
    },
    clear() {
      batches.clear();
      last = null;
      closedAt = null;
    },
  };
}
