import { readFileSync, renameSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readFrames } from "./frames.ts";
import { type LogFiles, listSegments, type Segment } from "./segments.ts";

/** Compressed segments that are damaged. Reads all of them. */
export async function findDamaged(log: LogFiles): Promise<Segment[]> {
  const damaged: Segment[] = [];
  for (const segment of listSegments(log)) {
    if (segment.kind !== "compressed") continue;
    for await (const { content } of readFrames(readFileSync(segment.path))) {
      if (content !== null) continue;
      damaged.push(segment);
      break;
    }
  }
  return damaged;
}

/** The lines of every frame that holds against its checksum. Without checksums nothing can be told apart. */
export async function* soundLines(path: string): AsyncGenerator<string[]> {
  for await (const { content, isUnchecked } of readFrames(readFileSync(path)))
    if (content !== null && !isUnchecked)
      yield content
        .toString("utf8")
        .split("\n")
        .filter((line) => line.trim() !== "");
}

const ASIDE = ".damaged-";
const ASIDE_MS = 7 * 24 * 3_600_000;

/** Kept for a week, for whoever wants to try to read more of it. Gives its new path. */
export function setDamagedAside(path: string, nowMs: number): string {
  const aside = `${path}${ASIDE}${nowMs}`;
  renameSync(path, aside);
  return aside;
}

/** What was set aside: damaged segments of which a part could not be restored. */
export async function listAside(log: LogFiles): Promise<string[]> {
  const stem = basename(log.active, ".jsonl");
  const names = await readdir(dirname(log.active)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${stem}-`) && name.includes(`.zst${ASIDE}`))
    .map((name) => join(dirname(log.active), name));
}

export async function sweepAside(log: LogFiles, nowMs: number): Promise<void> {
  for (const path of await listAside(log)) {
    const setAsideMs = Number(path.slice(path.lastIndexOf("-") + 1));
    if (!(nowMs - setAsideMs < ASIDE_MS)) rmSync(path, { force: true });
  }
}
