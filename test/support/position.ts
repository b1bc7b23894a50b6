import type { Position } from "../../src/log/log.ts";

/** A position that no log gave: stores only keep them. */
export function positionAt(place: number): Position {
  return `test@${place}` as Position;
}
