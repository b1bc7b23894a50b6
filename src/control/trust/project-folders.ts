import { type Dirent, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** A project whose folders are more cannot be looked through, and so not be trusted. */
const MOST_FOLDERS = 50_000;
const AT_ONCE = 64;

/** The top of the repository that a folder lies in, else the folder. Git is not asked: a repository can make it run code. */
export function projectRoot(cwd: string): string {
  for (let dir = cwd; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
  }
  return cwd;
}

/** From the root down to the folder, both included: Claude Code reads settings and servers of each. */
export function foldersBetween(root: string, cwd: string): string[] {
  const steps = relative(root, cwd)
    .split(sep)
    .filter((step) => step !== "");
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))];
}

/**
 * Every folder with a `.claude` below a root, for skills of subfolders are found while a session works there, and
 * their hooks run. Null when there are too many to look at. Links to folders are not followed.
 */
export async function foldersWithClaude(root: string): Promise<string[] | null> {
  const found: string[] = [];
  const waiting = [root];
  for (let count = 0; waiting.length > 0; ) {
    const dirs = waiting.splice(-AT_ONCE);
    count += dirs.length;
    if (count > MOST_FOLDERS) return null;
    const listed = await Promise.all(
      dirs.map((dir) => readdir(dir, { withFileTypes: true }).catch((): Dirent[] => [])),
    );
    for (const [index, dir] of dirs.entries()) {
      for (const entry of listed[index]!) {
        if (entry.name === ".claude") found.push(dir);
        else if (entry.isDirectory() && entry.name !== ".git") waiting.push(join(dir, entry.name));
      }
    }
  }
  return found.sort();
}
