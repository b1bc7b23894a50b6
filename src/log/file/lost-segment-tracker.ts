import type { Position } from "../log.ts";
import { findLostSegments } from "./find-lost-segments.ts";
import { parsePosition, toPosition } from "./position.ts";
import { type LogFiles, listSegments } from "./segments.ts";

/** Segments that were removed or truncated while in use, until they are restored. */
export interface LostSegmentTracker {
  add(segment: number): void;
  /** Returns all that a view at this position has lost, and clears what was added; null if nothing was. */
  collect(position: Position | undefined): LostSegments | null;
  /** Call if they could not be restored. */
  putBack(lost: LostSegments): void;
}

export interface LostSegments {
  readonly segments: readonly number[];
  /** Where views must read again from; undefined if their position is still valid. */
  readonly rereadFrom: Position | undefined;
}

export function createLostSegmentTracker(files: LogFiles): LostSegmentTracker {
  const truncated = new Set<number>();
  return {
    add: (segment) => void truncated.add(segment),
    collect(position) {
      const saved = parsePosition(position);
      const truncatedNow = [...truncated];
      const segments = [...new Set([...findLostSegments(files, saved), ...truncatedNow])];
      if (segments.length === 0) return null;
      truncated.clear();
      // The saved position points to another file now, or to another number: unread lines may start at the
      // first truncated segment, or at the currently active one.
      const first = Math.min(...truncatedNow, listSegments(files).at(-1)!.number);
      const rereadFrom =
        saved.segment < first ? undefined : toPosition({ segment: first, offset: 0, identity: null });
      return { segments, rereadFrom: rereadFrom };
    },
    putBack({ segments }) {
      for (const segment of segments) truncated.add(segment);
    },
  };
}
