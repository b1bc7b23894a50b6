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
let shop: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-changed-")));
  shop = join(root, "sh op");
  mkdirSync(shop);
  git("init", "-q");
  for (const name of ["a.ts", "b.ts", "old.ts"]) write(name, `${name}\n`.repeat(20));
  git("add", ".");
  git("commit", "-q", "-m", "first");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = () => ({ PATH: process.env["PATH"], HOME: root });
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=dev", "-c", "user.email=d@example.com", ...args], {
    cwd: shop,
    env: env(),
    stdio: "pipe",
  });
const write = (name: string, text: string, folder = shop) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const changed = async (folder = shop) => (await changedFiles(folder, env())).sort();

it("names what is modified, staged, renamed and new, of any spelling", async () => {
  expect(await changed()).toEqual([]);
  write("a.ts", "other\n");
  write('결제 "q" \n.ts', "");
  write("new/x.ts", "");
  git("mv", "old.ts", "moved.ts");
  rmSync(join(shop, "b.ts"));
  expect(await changed()).toEqual(
    ["a.ts", "b.ts", "moved.ts", "new/", '결제 "q" \n.ts'].map((name) => `${shop}/${name}`).sort(),
  );
});

it("names those of worktrees too, also of a bare repository", async () => {
  git("worktree", "add", "-q", "../tree");
  const tree = join(root, "tree");
  write("a.ts", "other\n", tree);
  expect(await changed()).toEqual([join(tree, "a.ts")]);
  git("clone", "-q", "--bare", ".", "../bare.git");
  const bare = join(root, "bare.git");
  expect(await changed(bare)).toEqual([]);
  execFileSync("git", ["worktree", "add", "-q", "../tree2"], { cwd: bare, env: env(), stdio: "pipe" });
  write("b.ts", "other\n", join(root, "tree2"));
  expect(await changed(bare)).toEqual([join(root, "tree2", "b.ts")]);
});

it("is empty without a repository, a folder, or git", async () => {
  expect(await changed(root)).toEqual([]);
  expect(await changed(join(root, "gone"))).toEqual([]);
  write("a.ts", "other\n");
  expect(await changedFiles(shop, { ...env(), PATH: "" })).toEqual([]);
});

it("names 200 at most", async () => {
  for (let n = 0; n < 250; n++) write(`${n}.txt`, "");
  expect(await changed()).toHaveLength(200);
});

it("does not wait for a git that hangs", async () => {
  const bin = join(root, "bin");
  write("git", "#!/bin/sh\nexec sleep 30\n", bin);
  chmodSync(join(bin, "git"), 0o755);
  const startedAt = performance.now();
  expect(await changedFiles(shop, { ...env(), PATH: `${bin}:${process.env["PATH"]}` })).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
});

it("runs nothing that the repository names, heeds no GIT_ of the environment, and writes no index", async () => {
  const ran = join(root, "ran");
  write("run", `#!/bin/sh\necho ran >>'${ran}'\n`, root);
  chmodSync(join(root, "run"), 0o755);
  git("config", "core.fsmonitor", join(root, "run"));
  git("config", "core.pager", join(root, "run"));
  mkdirSync(join(shop, ".git/hooks"), { recursive: true });
  write(".git/hooks/post-index-change", `#!/bin/sh\necho ran >>'${ran}'\n`);
  chmodSync(join(shop, ".git/hooks/post-index-change"), 0o755);
  rmSync(ran, { force: true });
  // Same text, other mtime: git would update its index.
  utimesSync(join(shop, "a.ts"), 1e9, 1e9);
  write("b.ts", "other\n");
  const index = readFileSync(join(shop, ".git/index"));
  const found = await changedFiles(shop, { ...env(), GIT_DIR: "/nowhere", GIT_INDEX_FILE: "/nowhere" });
  expect(found).toEqual([join(shop, "b.ts")]);
  expect(existsSync(ran)).toBe(false);
  expect(readFileSync(join(shop, ".git/index")).equals(index)).toBe(true);
});

it("reads git's entries", () => {
  expect(parseGitStatus("")).toEqual([]);
  expect(parseGitStatus(" M a\0R  new\0old\0?? dir/\0!! ignored\0UU both\0 M cut")).toEqual([
    "a",
    "new",
    "dir/",
    "both",
  ]);
});
