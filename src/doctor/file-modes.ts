import { type Dirent, lstatSync, type Stats } from "node:fs";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface Entry {
  readonly path: string;
  readonly info: Stats;
}

/** Enough to find problems; a larger folder is reported, not fully walked. */
const MAX_ENTRIES = 50_000;

/** The folder and everything in it, without following links; `skipped` is not entered. */
export async function listEntries(folder: string, skipped?: string): Promise<Entry[]> {
  const found: Entry[] = [];
  const pending = [folder];
  for (let path = pending.pop(); path !== undefined && found.length < MAX_ENTRIES; path = pending.pop()) {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (info === undefined || info.isSymbolicLink()) continue;
    found.push({ path, info });
    if (!info.isDirectory()) continue;
    const inside = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
    pending.push(...inside.map(({ name }) => join(path, name)).filter((child) => child !== skipped));
  }
  return found;
}

export function findOpenToOthers(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ info }) => (info.mode & 0o077) !== 0);
}

/** Removes the permissions of others and keeps the owner's. Files deleted meanwhile are ignored. */
export async function restrictToOwner(entries: readonly Entry[]): Promise<string> {
  for (const { path, info } of entries) {
    await chmod(path, info.mode & 0o700).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }
  return `Made private: ${entries.length === 1 ? entries[0]!.path : `${entries.length} files and folders`}.`;
}
