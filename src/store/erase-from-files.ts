import { constants } from "node:buffer";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeAtomically } from "../files/atomic-file.ts";
import { readTextChunks } from "../files/read-text.ts";
import type { Home } from "../home.ts";
import type { Log } from "../log/log.ts";
import { isFoundInText, type TextFinder } from "../privacy/forgotten-text.ts";

export interface FileErasure {
  readonly home: Home;
  readonly log: Log;
  readonly finders: readonly TextFinder[];
  /** Sessions that lost events. */
  readonly sessions: readonly string[];
  readonly nowMs: number;
}

/** A file that a hook is still writing is younger than this. */
const MIN_SPOOL_AGE_MS = 60_000;

/** Erases from the files beside log and database: quarantine, prepared context, spool and our own logs. */
export function eraseFromFiles(request: FileErasure): void {
  const { home, log, finders, sessions, nowMs } = request;
  const containsText = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const database = basename(home.db);
  for (const name of list(home.dir)) {
    if (name.startsWith(`${database}.corrupt-`) || name.startsWith(`${database}.rebuild`))
      rmSync(join(home.dir, name), { force: true });
  }
  log.removeLeftovers();
  // Prepared context is rebuilt from what is left.
  rmSync(home.context, { recursive: true, force: true });
  for (const path of filesIn(home.quarantine)) {
    const text = readFileSync(path, "utf8");
    if (containsText(text) || sessions.some((id) => text.includes(id))) rmSync(path, { force: true });
  }
  if (finders.length === 0) return;
  for (const path of filesIn(home.logs)) {
    const text = readFileSync(path, "utf8");
    if (containsText(text)) writeAtomically(path, withoutLines(text, containsText));
  }
  // Complete files were ingested before; an older remainder is torn and would be quarantined.
  for (const name of list(home.spool)) {
    const path = join(home.spool, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A file too large for one string is not a payload and is quarantined.
    if (stats === undefined || !stats.isFile() || stats.size > constants.MAX_STRING_LENGTH) continue;
    if (nowMs - stats.mtimeMs > MIN_SPOOL_AGE_MS && containsText(readFileSync(path, "utf8")))
      rmSync(path, { force: true });
  }
}

function withoutLines(text: string, containsText: (line: string) => boolean): string {
  const lines = text.split("\n").filter((line) => !containsText(line));
  const rest = lines.join("\n");
  // The text may also span lines.
  return containsText(rest) ? "" : rest;
}

/** Every file of ours that still contains the text, anywhere in its bytes. */
export async function findInFiles({ home, log, finders }: FileErasure): Promise<string[]> {
  if (finders.length === 0) return [];
  const containsText = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const stats = new Set(await log.findText(containsText));
  for (const path of filesUnder(home.dir)) {
    for await (const text of readTextChunks(path)) {
      if (!containsText(text)) continue;
      stats.add(path);
      break;
    }
  }
  return [...stats];
}

function filesUnder(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function filesIn(dir: string): string[] {
  return list(dir)
    .map((name) => join(dir, name))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

function list(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}
