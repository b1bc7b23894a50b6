import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realWorld } from "../../src/control/real-world.ts";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";

let home = "";
const ws = (): string => join(home, "ws");

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "hookline-git-secrets-")));
  for (const path of ["a.ts", "src/b.ts", "conf/server.key", "conf/app.yml", "HEAD.md"]) put(`ws/${path}`);
  put("plain/a.ts");
  put("plain/.env");
  put("ws/nested/x.ts");
  for (const folder of ["ws", "plain", "ws/nested"]) git(folder, "init", "-q", "-b", "main");
  git("ws", "add", "a.ts", "src", "conf");
  git("plain", "add", "a.ts");
  for (const folder of ["ws", "plain"]) git(folder, "commit", "-q", "-m", "first");
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text = "x\n"): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

function git(folder: string, ...args: readonly string[]): void {
  const who = ["-c", "user.name=x", "-c", "user.email=x@example.com"];
  execFileSync("git", [...who, ...args], {
    cwd: join(home, folder),
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: "pipe",
  });
}

function judge(command: string, cwd = ws()): string {
  const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd, workspace: [cwd] };
  return decide(EMPTY_POLICY, request, realWorld({ HOME: home })).verdict;
}

const SHOWING = [
  "git grep x",
  "git grep -l ^KEY=a",
  "git grep -c x -- .",
  "git grep -e x --cached",
  "git grep x HEAD",
  "git grep x conf",
  "git diff",
  "git diff --cached",
  "git diff HEAD~1",
  "git diff --stat -p",
  "git show",
  "git show HEAD",
  "git log -p",
  "git log -2 -u",
  "git log -S KEY=a --oneline",
  "git log -G KEY=a",
  "git log -U3",
  "git stash show -p",
  "git diff-tree -p HEAD",
];

describe("a committed file for secrets", () => {
  it.each(SHOWING)("is not shown unasked: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(["3", "4"])("is seen in an index of version %s", (version) => {
    git("ws", "update-index", "--index-version", version);
    expect(judge("git grep x")).toBe("ask");
    git("ws", "update-index", "--index-version", "2");
  });

  it("is seen from another work tree", () => {
    git("ws", "worktree", "add", "-q", join(home, "tree"));
    expect(judge("git grep x", join(home, "tree"))).toBe("ask");
    expect(judge("git grep x src", join(home, "tree"))).toBe("allow");
  });

  it.each([
    "git grep x src",
    "git grep x -- a.ts",
    "git grep -l x -- '*.tsx'",
    "git diff src",
    "git diff --stat",
    "git diff --name-only HEAD~1",
    "git show --stat",
    "git show HEAD:a.ts",
    "git log --oneline -5",
    "git log --stat",
    "git log -p -- src",
    "git status",
  ])("does not stand in the way of the rest: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });

  it.each(SHOWING.filter((command) => !/conf|~/.test(command)))(
    "is none where it is only in the folder: %s",
    (command) => {
      expect(judge(command, join(home, "plain"))).toBe("allow");
    },
  );
});

describe("a stash", () => {
  it("is not shown with the files in it that were not tracked", () => {
    const cwd = join(home, "plain");
    expect(judge("git log -p --all", cwd)).toBe("allow");
    git("plain", "stash", "--include-untracked", "-q");
    for (const command of [
      "git stash show -u",
      "git stash show -p --include-untracked",
      "git show stash^3",
      "git show stash@{0}^3",
      "git log -p stash^3",
      "git log -p --all",
      "git log --all -S KEY=a",
      "git log --glob=stash -p",
    ])
      expect([command, judge(command, cwd)]).toEqual([command, "ask"]);
    for (const command of [
      "git stash show -p",
      "git stash list",
      "git log --all --oneline",
      "git show HEAD^2",
    ])
      expect([command, judge(command, cwd)]).toEqual([command, "allow"]);
    git("plain", "stash", "pop", "-q");
  });
});

describe("the address of a remote", () => {
  const commands = ["git remote -v", "git remote get-url origin"];
  const set = (url: string): void => git("plain", "config", "remote.origin.url", url);

  it.each(["https://me:hunter2@example.org/x.git", "https://abcdef0123456789@example.org/x.git"])(
    "is asked about with a password in it: %s",
    (url) => {
      set(url);
      for (const command of commands) expect(judge(command, join(home, "plain"))).toBe("ask");
      expect(judge("git remote", join(home, "plain"))).toBe("allow");
    },
  );

  it.each(["https://example.org/x.git", "git@example.org:x.git", "ssh://git@example.org/x.git"])(
    "is told without: %s",
    (url) => {
      set(url);
      for (const command of commands) expect(judge(command, join(home, "plain"))).toBe("allow");
    },
  );

  it("is asked about where git puts a password into it", () => {
    put(".gitconfig", '[url "https://me:hunter2@example.org/"]\n  insteadOf = https://example.org/\n');
    for (const command of commands) expect(judge(command, join(home, "plain"))).toBe("ask");
    rmSync(join(home, ".gitconfig"));
  });
});

describe("what git takes for a repository", () => {
  it.each([
    "git -C nested diff ../empty ../conf",
    "git -C nested diff --stat ../a.ts ../conf/server.key",
    "cd nested && git diff ../src ../conf",
    "git -C nested diff -p -- ../src ../conf",
  ])("ends where its files end: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it("is none where the folder has only its name", () => {
    put("fake/.git/x");
    put("fake/conf/server.key");
    put("fake/src/a.ts");
    expect(judge("git diff src conf", join(home, "fake"))).toBe("ask");
    expect(judge("git diff HEAD~1 -- src/a.ts", join(home, "fake"))).toBe("allow");
  });

  it.each(["head", "Head", "HEAD", "he\u200bad", ".GIT"])(
    "is one without a work tree on disks that ignore case: %s",
    (name) => {
      put(`spelled/${encodeURIComponent(name)}/${name}`);
      const cwd = join(home, "spelled");
      expect(judge("git status", join(cwd, encodeURIComponent(name)))).toBe("ask");
      expect(judge(`git -C ${encodeURIComponent(name)} log -1`, cwd)).toBe("ask");
    },
  );
});
