import { readFileSync } from "node:fs";
import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeAtomically } from "../../files/atomic-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { Home } from "../../home.ts";
import type { DigestSource } from "./build-digest.ts";

/** Texts of a project's digests by name; others are removed. */
export type DigestFiles = ReadonlyMap<DigestName, string>;

/** For any session, or for one: the hook prefers its own session's file. An empty text injects nothing. */
export type DigestName = DigestSource | `${DigestSource}-${string}`;

export interface WrittenDigests {
  readonly written: number;
  readonly removed: number;
  /** Why the project cannot have any: its folder name. */
  readonly refused: string | null;
}

const DIGEST_NAME = /^(?:startup|resume|compact)(?:-[\w.-]{1,100})?$/;
/** Includes what a killed writer left. */
const DIGEST_FILE = /^(?:startup|resume|compact)(?:-.*)?\.json(?:\.(?:\d+\.)?partial)?$/;

/** The digest on disk for any session of a project; null if none. */
export function readDigest(
  home: Pick<Home, "context">,
  project: string,
  source: DigestSource,
): string | null {
  try {
    return readFileSync(join(home.context, project, `${source}.json`), "utf8");
  } catch {
    return null;
  }
}

/** Writes changed digests atomically, where the SessionStart hook reads them (src/hook/digest-command.ts). */
export async function writeDigests(
  home: Pick<Home, "context">,
  project: string,
  files: DigestFiles,
): Promise<WrittenDigests> {
  const refused = refusal(project) ?? [...files.keys()].find((name) => !DIGEST_NAME.test(name)) ?? null;
  if (refused !== null) return { written: 0, removed: 0, refused };
  const folder = join(home.context, project);
  try {
    const removed = await removeOthers(folder, files);
    let written = 0;
    for (const [name, text] of files) if (await writeIfNew(join(folder, `${name}.json`), text)) written++;
    if (files.size === 0) await removeEmpty(folder, home.context);
    return { written, removed, refused: null };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // The project's path runs through a digest file, or exceeds the length limit below our folder.
    if (!["ENAMETOOLONG", "ENOTDIR", "EEXIST", "EISDIR"].includes(code)) throw error;
    return { written: 0, removed: 0, refused: `${project} cannot be used as a folder (${code})` };
  }
}

/** Rejects a path that would leave our folder, or that no file system accepts. */
function refusal(project: string): string | null {
  if (!project.startsWith("/") || resolve(project) !== project || project.includes("\0"))
    return `${JSON.stringify(project)} is not a normalized absolute path`;
  if (project.split("/").some((part) => Buffer.byteLength(part) > 255)) return "a folder's name is too long";
  return null;
}

async function removeOthers(folder: string, files: DigestFiles): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing);
  const names = new Set([...files.keys()].map((name) => `${name}.json`));
  const others = entries.filter(
    (entry) => !entry.isDirectory() && DIGEST_FILE.test(entry.name) && !names.has(entry.name),
  );
  for (const { name } of others) await rm(join(folder, name), { force: true });
  return others.length;
}

function emptyIfMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function writeIfNew(path: string, text: string): Promise<boolean> {
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return false;
  makeFolder(dirname(path));
  writeAtomically(path, text);
  return true;
}

/** Removes empty folders up to our own. */
async function removeEmpty(from: string, root: string): Promise<void> {
  for (let folder = from; folder !== root && folder.startsWith(`${root}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
