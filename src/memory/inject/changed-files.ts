import { execFile } from "node:child_process";
import { join } from "node:path";

const TIMEOUT_MS = 2_000;
const MAX_BYTES = 1024 * 1024;
const MAX_FILES = 200;
const MAX_WORKTREES = 4;

/**
 * Absolute paths of files that git reports as changed in the project and its worktrees, at most 200. Empty
 * without git, repository or timely answer. Runs nothing configured by a repository, takes no lock.
 */
export async function changedFiles(project: string, env: NodeJS.ProcessEnv = process.env): Promise<string[]> {
  const trees = worktreesOf(await git(project, ["worktree", "list", "--porcelain"], env));
  const searched = trees.slice(0, MAX_WORKTREES);
  const found = await Promise.all(searched.map((tree) => statusOf(tree, env)));
  return [...new Set(found.flat())].slice(0, MAX_FILES);
}

async function statusOf(tree: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all"];
  const output = await git(tree, args, env);
  return parseGitStatus(output).map((file) => join(tree, file));
}

/** Entries end in NUL; a rename is followed by the old name. Untracked folders end in `/`. */
export function parseGitStatus(output: string): string[] {
  const files: string[] = [];
  const entries = output.split("\0").slice(0, -1);
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    const state = entry.slice(0, 2);
    if (/[RC]/.test(state)) at++;
    if (state !== "!!" && entry[2] === " ") files.push(entry.slice(3));
  }
  return files;
}

/** Folders, the main one first; a bare repository has no files. */
function worktreesOf(output: string): string[] {
  return output.split("\n\n").flatMap((block) => {
    const lines = block.split("\n");
    const path = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    const isUnusable = lines.some((line) => line === "bare" || line.startsWith("prunable"));
    return path === undefined || isUnusable ? [] : [path];
  });
}

/** Git's output as far as it came; empty when it failed. */
function git(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const settings = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=keep",
    "core.quotePath=false",
  ];
  const gitArgs = ["--no-pager", "-C", folder, ...settings.flatMap((setting) => ["-c", setting]), ...args];
  const searched = Object.fromEntries(Object.entries(env).filter(([key]) => !key.startsWith("GIT_")));
  const options = {
    env: {
      ...searched,
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_LAZY_FETCH: "1",
      LC_ALL: "C",
    },
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL" as const,
    maxBuffer: MAX_BYTES,
    cwd: "/",
  };
  return new Promise((resolve) => {
    execFile("git", gitArgs, options, (error, stdout) => {
      const isTruncated =
        error !== null && "code" in error && error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
      resolve(error === null || isTruncated ? stdout : "");
    });
  });
}
