import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Finds the first of these programs on a PATH. Relative folders are skipped: they depend on the caller's. */
export function findProgram(names: readonly string[], path: string | undefined): string | null {
  const folders = (path ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find(isProgram) ?? null;
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
