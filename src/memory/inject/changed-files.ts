import { execFile } from "node:child_process";
import { join } from "node:path";

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 200;
const MAX_TREES = 4;

/**
 * Absolute paths of files that git reports as changed in the project and its worktrees, at most 200. Empty
 * without git, repository or timely answer. Runs nothing configured by a repository, takes no lock.
 */
export async function changedFiles(project: string, env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const trees = worktreesOf(await git(project, ["worktree", "list", "--porcelain"], env));
  const own = trees.slice(0, MAX_TREES);
  const found = await Promise.all(own.map((tree) => statusOf(tree, env)));
  return [...new Set(found.flat())].slice(0, MAX_FILES);
}

async function statusOf(tree: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all"];
  const printed = await git(tree, args, env);
  return parseGitStatus(printed).map((file) => join(tree, file));
}

/** Entries end in NUL; a rename is followed by the old name. Untracked folders end in `/`. */
export function parseGitStatus(printed: string): string[] {
  const files: string[] = [];
  const entries = printed.split("\0").slice(0, -1);
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    const state = entry.slice(0, 2);
    if (/[RC]/.test(state)) at++;
    if (state !== "!!" && entry[2] === " ") files.push(entry.slice(3));
  }
  return files;
}

/** Folders, the main one first; a bare repository has no files. */
function worktreesOf(printed: string): string[] {
  return printed.split("\n\n").flatMap((block) => {
    const lines = block.split("\n");
    const path = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    const isGone = lines.some((line) => line === "bare" || line.startsWith("prunable"));
    return path === undefined || isGone ? [] : [path];
  });
}

/** Git's output as far as it came; empty when it failed. */
function git(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const quiet = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=keep",
    "core.quotePath=false",
  ];
  const words = ["--no-pager", "-C", folder, ...quiet.flatMap((setting) => ["-c", setting]), ...args];
  const own = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("GIT_")));
  const options = {
    env: { ...own, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_NO_LAZY_FETCH: "1", LC_ALL: "C" },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL" as const,
    maxBuffer: MAX_BYTES,
    cwd: "/",
  };
  return new Promise((resolve) => {
    execFile("git", words, options, (error, stdout) => {
      const isCut = error !== null && "code" in error && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      resolve(error === null || isCut ? stdout : "");
    });
  });
}
