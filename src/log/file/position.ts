import type { Position } from "../log.ts";
import type { SegmentOffset } from "./segments.ts";

/** A position as this log parses it. `identity` identifies the active file that the offset belongs to. */
export interface FilePosition extends SegmentOffset {
  readonly identity: string | null;
}

const START: FilePosition = { segment: 0, offset: 0, identity: null };

export function toPosition({ segment, offset, identity }: FilePosition): Position {
  return `${segment}:${identity ?? ""}@${offset}` as Position;
}

/** An invalid position means the start of the log: everything is read again, which changes nothing. */
export function parsePosition(position: Position | undefined): FilePosition {
  const match = /^(\d+):([^@]*)@(\d+)$/.exec(position ?? "");
  if (match === null) return START;
  return { segment: Number(match[1]), offset: Number(match[3]), identity: match[2] || null };
}

/** As the table `lifecycle_stream_offsets` shows it. */
export function toStreamOffset(position: Position): { readonly inode: string; readonly byteOffset: number } {
  const { segment, offset, identity } = parsePosition(position);
  return { inode: `${segment}:${identity ?? ""}`, byteOffset: offset };
}
