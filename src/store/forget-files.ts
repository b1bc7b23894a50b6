import { constants } from "node:buffer";
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { writeAtomically } from "../daemon-files.ts";
import type { Home } from "../home.ts";
import { readFrames } from "../log/frames.ts";
import type { LogFiles } from "../log/segments.ts";
import { isFoundInText, type TextFinder } from "../privacy/forgotten-text.ts";

export interface FilesRequest {
  readonly home: Home;
  readonly log: LogFiles;
  readonly finders: readonly TextFinder[];
  /** Sessions that lost something. */
  readonly sessions: readonly string[];
  readonly nowMs: number;
}

/** A file that a hook still writes is younger. */
const SPOOL_MS = 60_000;

/** What lies beside log and database: set aside, kept ready, or told of in words. */
export function cutFiles(request: FilesRequest): void {
  const { home, log, finders, sessions, nowMs } = request;
  const says = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const database = basename(home.db);
  for (const name of list(home.dir)) {
    if (name.startsWith(`${database}.corrupt-`) || name.startsWith(`${database}.rebuild`))
      rmSync(join(home.dir, name), { force: true });
  }
  for (const name of list(dirname(log.active)))
    if (name.endsWith(".partial") || name.includes(".zst.damaged-"))
      rmSync(join(dirname(log.active), name), { force: true });
  // Made again from what is left.
  rmSync(home.context, { recursive: true, force: true });
  for (const name of list(home.quarantine)) {
    const path = join(home.quarantine, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const text = readFileSync(path, "utf8");
    if (says(text) || sessions.some((id) => text.includes(id))) rmSync(path, { force: true });
  }
  if (finders.length === 0) return;
  for (const name of list(home.logs)) {
    const path = join(home.logs, name);
    const text = readFileSync(path, "utf8");
    if (says(text)) writeAtomically(path, withoutLines(text, says));
  }
  // Whole ones were taken in before; what is left was cut off long ago, and would be set aside.
  for (const name of list(home.spool)) {
    const path = join(home.spool, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // What is too large for one string is no payload, and is set aside.
    if (found === undefined || !found.isFile() || found.size > constants.MAX_STRING_LENGTH) continue;
    if (nowMs - found.mtimeMs > SPOOL_MS && says(readFileSync(path, "utf8"))) rmSync(path, { force: true });
  }
}

function withoutLines(text: string, says: (line: string) => boolean): string {
  const lines = text.split("\n").filter((line) => !says(line));
  const kept = lines.join("\n");
  // It may also stand across lines.
  return says(kept) ? "" : kept;
}

/** Every file of ours that still says it, in any of its bytes. */
export async function findInFiles({ home, log, finders }: FilesRequest): Promise<string[]> {
  if (finders.length === 0) return [];
  const found: string[] = [];
  const paths = new Set(filesUnder(home.dir));
  for (const name of list(dirname(log.active)))
    if (name.startsWith(basename(log.active, ".jsonl"))) paths.add(join(dirname(log.active), name));
  for (const path of paths) {
    for await (const text of partsOf(path)) {
      if (!finders.some((finder) => isFoundInText(finder, text))) continue;
      found.push(path);
      break;
    }
  }
  return found;
}

const PART_BYTES = 4 * 1024 * 1024;
/** More than the longest text takes, escaped twice. */
const OVERLAP_BYTES = 64 * 1024;

async function* partsOf(path: string): AsyncGenerator<string> {
  if (path.endsWith(".zst")) {
    for await (const { content } of readFrames(readFileSync(path)))
      if (content !== null) yield content.toString("utf8");
    return;
  }
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return;
  }
  try {
    const buffer = Buffer.allocUnsafe(PART_BYTES + OVERLAP_BYTES);
    for (let at = 0; ; at += PART_BYTES) {
      const length = readSync(fd, buffer, 0, buffer.length, at);
      if (length === 0) return;
      yield buffer.toString("utf8", 0, length);
      if (length < buffer.length) return;
      await nextTurn();
    }
  } finally {
    closeSync(fd);
  }
}

function filesUnder(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function list(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}
