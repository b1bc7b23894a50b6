import type { Position } from "../log.ts";
import { lostSegments } from "./lost-segments.ts";
import { toPlace, toPosition } from "./position.ts";
import { type LogFiles, listSegments } from "./segments.ts";

/** Segments that were removed or cut while in use, until they are restored. */
export interface CutSegments {
  add(segment: number): void;
  /** All that a view at this position has lost, and forgets what was added; null where nothing is lost. */
  take(position: Position | undefined): Lost | null;
  /** They could not be restored. */
  putBack(lost: Lost): void;
}

export interface Lost {
  readonly segments: readonly number[];
  /** Where views have to read again; undefined when their position still holds. */
  readonly from: Position | undefined;
}

export function createCutSegments(files: LogFiles): CutSegments {
  const cut = new Set<number>();
  return {
    add: (segment) => void cut.add(segment),
    take(position) {
      const saved = toPlace(position);
      const wasCut = [...cut];
      const segments = [...new Set([...lostSegments(files, saved), ...wasCut])];
      if (segments.length === 0) return null;
      cut.clear();
      // Where the saved position points is another file now, or has another number: what may be unread begins
      // with the first segment that was cut, or with the active one of this moment.
      const first = Math.min(...wasCut, listSegments(files).at(-1)!.number);
      const from =
        saved.segment < first ? undefined : toPosition({ segment: first, offset: 0, identity: null });
      return { segments, from };
    },
    putBack({ segments }) {
      for (const segment of segments) cut.add(segment);
    },
  };
}
