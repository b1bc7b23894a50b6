import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changedFiles, parseGitStatus } from "./changed-files.ts";

let root: string;
let repo: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-changed-")));
  repo = join(root, "sh op");
  mkdirSync(repo);
  git("init", "-q");
  for (const name of ["a.ts", "b.ts", "old.ts"]) write(name, `${name}\n`.repeat(20));
  git("add", ".");
  git("commit", "-q", "-m", "first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = () => ({ PATH: process.env["PATH"], HOME: root });
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=d@example.com", ...args], {
    cwd: repo,
    env: env(),
    stdio: "pipe",
  });
const write = (name: string, text: string, folder = repo) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const changedPaths = async (folder = repo) => (await changedFiles(folder, env())).sort();

it("lists modified, staged, renamed and new files with any name", async () => {
  expect(await changedPaths()).toEqual([]);
  write("a.ts", "other\n");
  write('결제 "q" \n.ts', "");
  write("new/x.ts", "");
  git("mv", "old.ts", "moved.ts");
  rmSync(join(repo, "b.ts"));
  expect(await changedPaths()).toEqual(
    ["a.ts", "b.ts", "moved.ts", "new/", '결제 "q" \n.ts'].map((name) => `${repo}/${name}`).sort(),
  );
});

it("includes worktrees, also of a bare repository", async () => {
  git("worktree", "add", "-q", "../tree");
  const tree = join(root, "tree");
  write("a.ts", "other\n", tree);
  expect(await changedPaths()).toEqual([join(tree, "a.ts")]);
  git("clone", "-q", "--bare", ".", "../bare.git");
  const bare = join(root, "bare.git");
  expect(await changedPaths(bare)).toEqual([]);
  execFileSync("git", ["worktree", "add", "-q", "../tree2"], { cwd: bare, env: env(), stdio: "pipe" });
  write("b.ts", "other\n", join(root, "tree2"));
  expect(await changedPaths(bare)).toEqual([join(root, "tree2", "b.ts")]);
});

it("is empty without a repository, a folder, or git", async () => {
  expect(await changedPaths(root)).toEqual([]);
  expect(await changedPaths(join(root, "gone"))).toEqual([]);
  write("a.ts", "other\n");
  expect(await changedFiles(repo, { ...env(), PATH: "" })).toEqual([]);
});

it("returns at most 200 files", async () => {
  for (let n = 0; n < 250; n++) write(`${n}.txt`, "");
  expect(await changedPaths()).toHaveLength(200);
});

it("gives up on a git that hangs", async () => {
  const bin = join(root, "bin");
  write("git", "#!/bin/sh\nexec sleep 30\n", bin);
  chmodSync(join(bin, "git"), 0o755);
  const startedAt = performance.now();
  expect(await changedFiles(repo, { ...env(), PATH: `${bin}:${process.env["PATH"]}` })).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});

it("runs nothing from the repository's configuration, ignores GIT_ variables, and writes no index", async () => {
  const marker = join(root, "ran");
  write("run", `#!/bin/sh\necho ran >>'${marker}'\n`, root);
  chmodSync(join(root, "run"), 0o755);
  git("config", "core.fsmonitor", join(root, "run"));
  git("config", "core.pager", join(root, "run"));
  mkdirSync(join(repo, ".git/hooks"), { recursive: true });
  write(".git/hooks/post-index-change", `#!/bin/sh\necho ran >>'${marker}'\n`);
  chmodSync(join(repo, ".git/hooks/post-index-change"), 0o755);
  rmSync(marker, { force: true });
  // Same text, other mtime: git would update its index.
  utimesSync(join(repo, "a.ts"), 1e9, 1e9);
  write("b.ts", "other\n");
  const index = readFileSync(join(repo, ".git/index"));
  const found = await changedFiles(repo, { ...env(), GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere" });
  expect(found).toEqual([join(repo, "b.ts")]);
  expect(existsSync(marker)).toBe(false);
  expect(readFileSync(join(repo, ".git/index")).equals(index)).toBe(true);
});

it("parseGitStatus reads entries", () => {
  expect(parseGitStatus("")).toEqual([]);
  expect(parseGitStatus(" M a\0R  new\0old\0?? dir/\0!! ignored\0UU both\0 M cut")).toEqual([
    "a",
    "new",
    "dir/",
    "both",
  ]);
});
