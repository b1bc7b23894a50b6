import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes beside the file and renames: a reader sees the old file or the new one, never half of one. */
export function writeAtomically(path: string, content: string, mode = 0o600): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, content, { mode });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
