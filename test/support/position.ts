import type { Position } from "../../src/log/log.ts";

/** A position that no log issued: stores only save them. */
export function positionAt(offset: number): Position {
  return `test@${offset}` as Position;
}
