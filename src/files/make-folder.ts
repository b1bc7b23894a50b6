import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and those above it that are missing, for their owner alone; the outermost that was made, or undefined.
 * One by one: Node's own recursive `mkdir` never returns where the file system answers ENOENT to it, as /proc does.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  for (let dir = resolve(path); !isFolder(dir) && dirname(dir) !== dir; dir = dirname(dir))
    missing.unshift(dir);
  for (const dir of missing) {
    try {
      mkdirSync(dir, { mode: 0o700 });
    } catch (error) {
      // Somebody else was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !isFolder(dir)) throw error;
    }
  }
  return missing[0];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
