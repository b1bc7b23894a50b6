import { readFileSync, renameSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readFrames } from "./frames.ts";
import { type LogFiles, listSegments, type Segment } from "./segments.ts";

/** Finds damaged compressed segments. Reads all of them. */
export async function findDamagedSegments(log: LogFiles): Promise<Segment[]> {
  const damaged: Segment[] = [];
  for (const segment of listSegments(log)) {
    if (segment.kind !== "compressed") continue;
    for await (const { content } of readFrames(await readFile(segment.path))) {
      if (content !== null) continue;
      damaged.push(segment);
      break;
    }
  }
  return damaged;
}

/** Yields the lines of every frame with a valid checksum; without checksums, damage cannot be located. */
export async function* readIntactLines(path: string): AsyncGenerator<string[]> {
  for await (const { content, isUnchecked } of readFrames(readFileSync(path)))
    if (content !== null && !isUnchecked)
      yield content
        .toString("utf8")
        .split("\n")
        .filter((line) => line.trim() !== "");
}

const QUARANTINE_SUFFIX = ".damaged-";
const QUARANTINE_MS = 7 * 24 * 3_600_000;

/**
 * Renames a damaged segment, which is kept for a week in case more of it can be recovered. Returns its new
 * path.
 */
export function quarantineSegment(path: string, nowMs: number): string {
  const quarantinePath = `${path}${QUARANTINE_SUFFIX}${nowMs}`;
  renameSync(path, quarantinePath);
  return quarantinePath;
}

/** Damaged segments of which a part could not be restored. */
export async function listQuarantinedSegments(log: LogFiles): Promise<string[]> {
  const stem = basename(log.active, ".jsonl");
  const names = await readdir(dirname(log.active)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${stem}-`) && name.includes(`.zst${QUARANTINE_SUFFIX}`))
    .map((name) => join(dirname(log.active), name));
}

export async function removeExpiredQuarantine(log: LogFiles, nowMs: number): Promise<void> {
  for (const path of await listQuarantinedSegments(log)) {
    const quarantinedMs = Number(path.slice(path.lastIndexOf("-") + 1));
    if (!(nowMs - quarantinedMs < QUARANTINE_MS)) rmSync(path, { force: true });
  }
}
