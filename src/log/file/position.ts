import type { Position } from "../log.ts";
import type { LogPosition } from "./segments.ts";

/** A position as this log reads it. `identity` tells the active file that the offset belongs to. */
export interface Place extends LogPosition {
  readonly identity: string | null;
}

const START: Place = { segment: 0, offset: 0, identity: null };

export function toPosition({ segment, offset, identity }: Place): Position {
  return `${segment}:${identity ?? ""}@${offset}` as Position;
}

/** A text that is no position of this log is its start: all is read again, which changes nothing. */
export function toPlace(position: Position | undefined): Place {
  const match = /^(\d+):([^@]*)@(\d+)$/.exec(position ?? "");
  if (match === null) return START;
  return { segment: Number(match[1]), offset: Number(match[3]), identity: match[2] || null };
}

/** As the table `lifecycle_stream_offsets` shows it. */
export function showPosition(position: Position): { readonly inode: string; readonly byteOffset: number } {
  const { segment, offset, identity } = toPlace(position);
  return { inode: `${segment}:${identity ?? ""}`, byteOffset: offset };
}
