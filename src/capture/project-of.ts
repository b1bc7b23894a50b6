import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ProjectOf } from "../agents/hook-delivery.ts";

/** How long a result is cached: a folder seldom becomes a repository. */
const CACHE_MS = 30_000;
const MAX_CACHED_FOLDERS = 1_000;

/**
 * The project of a folder: the repository it is in (the folder of the git common directory, so that all
 * worktrees of one repository are one project), else the folder itself. Reads the disk and caches briefly.
 */
export function createProjectOf(now: () => number = Date.now): ProjectOf {
  const cache = new Map<string, { project: string; until: number }>();
  return (cwd) => {
    if (cwd === null) return null;
    const hit = cache.get(cwd);
    if (hit !== undefined && hit.until > now()) return hit.project;
    const project = findProject(cwd);
    if (cache.size >= MAX_CACHED_FOLDERS) cache.clear();
    cache.set(cwd, { project, until: now() + CACHE_MS });
    return project;
  };
}

function findProject(cwd: string): string {
  for (let dir = cwd; ; dir = dirname(dir)) {
    const common = gitCommonDir(join(dir, ".git"));
    if (common !== null) return basename(common) === ".git" ? dirname(common) : common;
    if (dir === dirname(dir)) return cwd;
  }
}

/** Null also if the path is unreadable: a payload may name anything as its folder, and is recorded anyway. */
function gitCommonDir(dotGit: string): string | null {
  try {
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (stats.isDirectory()) return dotGit;
    const pointer = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]?.trim();
    if (pointer === undefined) return null;
    const gitDir = resolve(dirname(dotGit), pointer);
    try {
      return resolve(gitDir, readFileSync(join(gitDir, "commondir"), "utf8").trim());
    } catch {
      // A submodule has its own git directory, without a common one.
      return dotGit;
    }
  } catch {
    return null;
  }
}
