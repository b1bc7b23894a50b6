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
  const says = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const database = basename(home.db);
  for (const name of list(home.dir)) {
    if (name.startsWith(`${database}.corrupt-`) || name.startsWith(`${database}.rebuild`))
      rmSync(join(home.dir, name), { force: true });
  }
  log.removeLeftovers();
  // Rebuilt from what is left.
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
  // Complete files were ingested before; what is left was truncated long ago and would be quarantined.
  for (const name of list(home.spool)) {
    const path = join(home.spool, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A file too large for one string is not a payload and is quarantined.
    if (found === undefined || !found.isFile() || found.size > constants.MAX_STRING_LENGTH) continue;
    if (nowMs - found.mtimeMs > MIN_SPOOL_AGE_MS && says(readFileSync(path, "utf8")))
      rmSync(path, { force: true });
  }
}

function withoutLines(text: string, says: (line: string) => boolean): string {
  const lines = text.split("\n").filter((line) => !says(line));
  const kept = lines.join("\n");
  // The text may also span lines.
  return says(kept) ? "" : kept;
}

/** Every file of ours that still contains the text, anywhere in its bytes. */
export async function findInFiles({ home, log, finders }: FileErasure): Promise<string[]> {
  if (finders.length === 0) return [];
  const says = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const found = new Set(await log.findText(says));
  for (const path of filesUnder(home.dir)) {
    for await (const text of readTextChunks(path)) {
      if (!says(text)) continue;
      found.add(path);
      break;
    }
  }
  return [...found];
}

function filesUnder(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function list(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir) : [];
}
