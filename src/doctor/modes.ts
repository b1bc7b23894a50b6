import { type Dirent, lstatSync, type Stats } from "node:fs";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Entry {
  readonly path: string;
  readonly info: Stats;
}

/** Enough to find what is wrong; a folder with more is told of, not walked to its end. */
const MOST_ENTRIES = 50_000;

/** The folder and all that lies in it, without following links; `skipped` is not entered. */
export async function walk(folder: string, skipped?: string): Promise<Entry[]> {
  const found: Entry[] = [];
  const open = [folder];
  for (let path = open.pop(); path !== undefined && found.length < MOST_ENTRIES; path = open.pop()) {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined || info.isSymbolicLink()) continue;
    found.push({ path, info });
    if (!info.isDirectory()) continue;
    const inside = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
    open.push(...inside.map(({ name }) => join(path, name)).filter((one) => one !== skipped));
  }
  return found;
}

export function openToOthers(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ info }) => (info.mode & 0o077) !== 0);
}

/** Takes from others what they may; the owner's own rights stay. What is gone meanwhile needs nothing. */
export async function closeToOthers(entries: readonly Entry[]): Promise<string> {
  for (const { path, info } of entries) {
    await chmod(path, info.mode & 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  return `Took the rights of others from ${entries.length === 1 ? entries[0]!.path : `${entries.length} files and folders`}.`;
}
