import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The files of one log: the active one and its predecessors, `name-<n>.jsonl` or, once compressed, `….zst`. */
export interface LogFiles {
  readonly active: string;
}

export interface Segment {
  readonly number: number;
  readonly path: string;
  readonly kind: "active" | "closed" | "compressed";
}

/** A reader's position: bytes of the uncompressed segment, so that compression does not change it. */
export interface SegmentOffset {
  readonly segment: number;
  readonly offset: number;
}

export const LOG_START: SegmentOffset = { segment: 0, offset: 0 };

/** All segments, oldest first; the active one is last, whether or not its file exists yet. */
export function listSegments(log: LogFiles): Segment[] {
  const closed = new Map<number, Segment>();
  const dir = dirname(log.active);
  const pattern = new RegExp(`^${escapeRegExp(stem(log))}-(\\d+)\\.jsonl(\\.zst)?$`);
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const number = Number(match[1]);
    const kind = match[2] === undefined ? "closed" : "compressed";
    // Both exist only if compression was interrupted: the plain file is the complete one.
    if (kind === "compressed" && closed.has(number)) continue;
    closed.set(number, { number, path: join(dir, name), kind });
  }
  const sorted = [...closed.values()].sort((a, b) => a.number - b.number);
  return [...sorted, { number: (sorted.at(-1)?.number ?? 0) + 1, path: log.active, kind: "active" }];
}

export function closedPath(log: LogFiles, number: number): string {
  return join(dirname(log.active), `${stem(log)}-${number}.jsonl`);
}

function stem(log: LogFiles): string {
  return basename(log.active).replace(/\.jsonl$/, "");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
