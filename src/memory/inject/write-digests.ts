import { readFileSync } from "node:fs";
import { open, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { Home } from "../../home.ts";
import type { DigestSource } from "./build-digest.ts";

/** The text of a project's digests by name; what is not named is removed. */
export type DigestFiles = ReadonlyMap<DigestName, string>;

/** For any session, or for one: the hook takes that of its own session first. An empty text gives it nothing. */
export type DigestName = DigestSource | `${DigestSource}-${string}`;

export interface WrittenDigests {
  readonly written: number;
  readonly removed: number;
  /** Why the project can have none: its folder's name. */
  readonly refused: string | null;
}

const NAME = /^(?:startup|resume|compact)(?:-[\w.-]{1,100})?$/;
/** Also what a writer that was killed left. */
const FILE = /^(?:startup|resume|compact)(?:-.*)?\.json(?:\.partial)?$/;

/** What lies ready for any session of a project; null: nothing. */
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

/** Writes what changed, each in one step, where the SessionStart hook looks for it (src/hook/give-command.ts). */
export async function writeDigests(
  home: Pick<Home, "context">,
  project: string,
  files: DigestFiles,
): Promise<WrittenDigests> {
  const refused = refusal(project) ?? [...files.keys()].find((name) => !NAME.test(name)) ?? null;
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
    // A folder whose path leads through what is a digest's file, or is longer with ours before it than may be.
    if (!["ENAMETOOLONG", "ENOTDIR", "EEXIST", "EISDIR"].includes(code)) throw error;
    return { written: 0, removed: 0, refused: `${project} cannot be used as a folder (${code})` };
  }
}

/** A path that would lead out of our folder, or that no file system takes. */
function refusal(project: string): string | null {
  if (!project.startsWith("/") || resolve(project) !== project || project.includes("\0"))
    return `${JSON.stringify(project)} is no plain absolute path`;
  if (project.split("/").some((part) => Buffer.byteLength(part) > 255)) return "a folder's name is too long";
  return null;
}

async function removeOthers(folder: string, files: DigestFiles): Promise<number> {
  const there = await readdir(folder, { withFileTypes: true }).catch(none);
  const names = new Set([...files.keys()].map((name) => `${name}.json`));
  const others = there.filter(
    (entry) => !entry.isDirectory() && FILE.test(entry.name) && !names.has(entry.name),
  );
  for (const { name } of others) await rm(join(folder, name), { force: true });
  return others.length;
}

function none(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function writeIfNew(path: string, text: string): Promise<boolean> {
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return false;
  makeFolder(dirname(path));
  const partial = `${path}.partial`;
  const file = await open(partial, "w", 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await rename(partial, path);
  return true;
}

/** Up to our own folder, as far as nothing else lies in them. */
async function removeEmpty(from: string, top: string): Promise<void> {
  for (let folder = from; folder !== top && folder.startsWith(`${top}/`); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}
