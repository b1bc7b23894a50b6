import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder and its missing ancestors, for the owner only; returns the outermost missing one, if any.
 * One by one: Node's recursive `mkdir` never returns if the file system answers ENOENT, as /proc does.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let dir = resolve(path); !isFolder(dir) && dirname(dir) !== dir; dir = dirname(dir))
    missing.unshift(dir);
  for (const dir of missing) {
    try {
      mkdirSync(dir, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(dir)) throw error;
    }
  }
  return missing[0];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
