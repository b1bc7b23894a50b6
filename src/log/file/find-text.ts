import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readTextChunks } from "../../files/read-text.ts";
import { readFrames } from "./frames.ts";
import type { LogFiles } from "./segments.ts";

/** Finds every file of the log, and every file beside it with the same stem, that contains a text. */
export async function findText(files: LogFiles, isFound: (text: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  const stem = basename(files.active, ".jsonl");
  for (const path of filesBeside(files).filter((path) => basename(path).startsWith(stem))) {
    for await (const text of textOf(path)) {
      if (!isFound(text)) continue;
      found.push(path);
      break;
    }
  }
  return found;
}

/** Removes leftovers of interrupted work, and quarantined segments. */
export function removeLeftovers(files: LogFiles): void {
  for (const path of filesBeside(files))
    if (path.endsWith(".partial") || path.includes(".zst.damaged-")) rmSync(path, { force: true });
}

async function* textOf(path: string): AsyncGenerator<string> {
  if (!path.endsWith(".zst")) yield* readTextChunks(path);
  else
    for await (const { content } of readFrames(readFileSync(path)))
      if (content !== null) yield content.toString("utf8");
}

function filesBeside({ active }: LogFiles): string[] {
  const dir = dirname(active);
  return existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [];
}
