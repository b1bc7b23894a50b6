import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { ProjectOf } from "../agents/hook-delivery.ts";

/** How long an answer is believed: a folder seldom becomes a repository. */
const BELIEVED_MS = 30_000;
const MOST = 1_000;

/**
 * The project of a folder: the repository it lies in (the folder of the git common directory, so that all
 * worktrees of one repository are one project), else the folder itself. Reads the disk, remembers a while.
 */
export function createProjectOf(now: () => number = Date.now): ProjectOf {
  const known = new Map<string, { project: string; until: number }>();
  return (cwd) => {
    if (cwd === null) return null;
    const hit = known.get(cwd);
    if (hit !== undefined && hit.until > now()) return hit.project;
    const project = findProject(cwd);
    if (known.size >= MOST) known.clear();
    known.set(cwd, { project, until: now() + BELIEVED_MS });
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

/** Null also where nothing can be looked at: any text may be said to be a folder, and what was said is kept all the same. */
function gitCommonDir(dotGit: string): string | null {
  try {
    const found = statSync(dotGit, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isDirectory()) return dotGit;
    const pointer = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1]?.trim();
    if (pointer === undefined) return null;
    const gitDir = resolve(dirname(dotGit), pointer);
    try {
      return resolve(gitDir, readFileSync(join(gitDir, "commondir"), "utf8").trim());
    } catch {
      // A submodule has a git directory of its own, without a common one.
      return dotGit;
    }
  } catch {
    return null;
  }
}
