import { constants } from "node:buffer";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { writeAtomically } from "../daemon-files.ts";
import { readTextInPieces } from "../files/read-text.ts";
import type { Home } from "../home.ts";
import type { Log } from "../log/log.ts";
import { isFoundInText, type TextFinder } from "../privacy/forgotten-text.ts";

export interface FilesRequest {
  readonly home: Home;
  readonly log: Log;
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
  log.dropLeftovers();
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
  const says = (text: string): boolean => finders.some((finder) => isFoundInText(finder, text));
  const found = new Set(await log.findText(says));
  for (const path of filesUnder(home.dir)) {
    for await (const text of readTextInPieces(path)) {
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
