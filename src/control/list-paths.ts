import { readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

const MAX_PATHS = 50;

/**
 * Completes a typed path to folders, each with a slash at its end. Links are left out, as are hidden folders
 * unless a dot was typed. What does not exist or may not be read has no completions.
 */
export async function listFolders(typed: string, userHome: string): Promise<string[]> {
  const path = typed.replace(/^~(\/|$)/, `${userHome}/`);
  if (!path.startsWith("/")) return [];
  const at = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, at);
  return (await list(folder, path.slice(at))).filter(isFolder).map((name) => `${folder}${name}`);
}

/** Completes a path relative to `root`, to files and folders in it. Never leaves `root`, not through links either. */
export async function listInside(root: string, typed: string): Promise<string[]> {
  const at = typed.lastIndexOf("/") + 1;
  const folder = typed.slice(0, at);
  const [base, here] = await Promise.all([resolve(root), resolve(join(root, folder))]);
  if (base === null || here === null || (here !== base && !here.startsWith(base + sep))) return [];
  return (await list(here, typed.slice(at))).map((name) => `${folder}${name}`);
}

async function list(folder: string, start: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .filter(({ name }) => isCompletion(name, start))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort((a, b) => Number(isFolder(b)) - Number(isFolder(a)) || (a < b ? -1 : 1))
    .slice(0, MAX_PATHS);
}

function isCompletion(name: string, start: string): boolean {
  if (name.startsWith(".") && !start.startsWith(".")) return false;
  return name.toLowerCase().startsWith(start.toLowerCase());
}

function isFolder(name: string): boolean {
  return name.endsWith("/");
}

function resolve(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}
