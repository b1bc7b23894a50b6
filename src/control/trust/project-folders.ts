import { type Dirent, existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

/** A project with more folders cannot be fully inspected, so it cannot be trusted. */
const MAX_FOLDERS = 50_000;
const MAX_CONCURRENT_READS = 64;

/** The repository root above a folder, else the folder. Without git: a repository can make it run code. */
export function projectRoot(cwd: string): string {
  for (let dir = cwd; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
  }
  return cwd;
}

/** From the root down to the folder, inclusive: Claude Code reads settings and servers from each. */
export function foldersBetween(root: string, cwd: string): string[] {
  const steps = relative(root, cwd)
    .split(sep)
    .filter((step) => step !== "");
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))];
}

/**
 * All folders with a `.claude` below a root, because a session that works in a subfolder discovers its skills
 * and runs their hooks. Null if there are too many to inspect. Links to folders are not followed.
 */
export async function foldersWithClaude(root: string): Promise<string[] | null> {
  const found: string[] = [];
  const waiting = [root];
  for (let count = 0; waiting.length > 0; ) {
    const dirs = waiting.splice(-MAX_CONCURRENT_READS);
    count += dirs.length;
    if (count > MAX_FOLDERS) return null;
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
