import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitWorld, openGitWorld } from "./git-world.ts";

let world: GitWorld;
const ADDRESS = "https://me:hunter2@example.org/x.git";

beforeAll(() => {
  world = openGitWorld();
  for (const folder of ["open", "closed", "header", "module", "logged"]) {
    world.put(`${folder}/a.md`, "url\n");
    world.put(`${folder}/config/app.yml`);
    world.git(folder, "init", "-q", "-b", "main");
    world.git(folder, "add", ".");
    world.git(folder, "commit", "-q", "-m", "first");
    world.git(folder, "config", "remote.origin.url", "git@example.org:x.git");
  }
  world.git("open", "config", "branch.fix-token.merge", "refs/heads/fix-token");
  world.git("open", "branch", "secrets/rotate");
  world.git("closed", "config", "remote.origin.url", ADDRESS);
  world.git("header", "config", "http.https://example.org/.extraheader", "AUTHORIZATION: basic eDp5");
  world.put("module/.git/modules/lib/inner/config", `[remote "origin"]\n\turl = ${ADDRESS}\n`);
  world.git("logged", "update-ref", "-m", `pull ${ADDRESS}: Fast-forward`, "HEAD", "HEAD~0");
  world.put("logged/.git/logs/HEAD", `0 1 x <x@example.com> 1 +0000\tpull ${ADDRESS} main: Fast-forward\n`);
  world.put("bare/x.git/config", `[remote "origin"]\n\turl = ${ADDRESS}\n`);
});

afterAll(() => world.close());

const CONFIG = [
  "cat .git/config",
  "cat < .git/config",
  "cat ./src/../.git/config",
  "grep url .git/config",
  "grep -c url .git/config",
  "head -20 .git/config",
  "sed -n p .git/config",
  "awk 1 .git/config",
  "strings .git/config",
  "diff .git/config a.md",
  "diff -r .git config",
  "cat .git/conf*",
  "cat .git/c?nfig",
  "cat */config",
  "grep -r url .git",
  "grep -r url .",
  "grep -rn url",
  "grep -r --include=config url .",
  "rg --hidden url",
  "rg url .git",
  "find . -name config -exec cat {} +",
  "find .git -name config -exec cat {} +",
  "find . -name 'conf*' | xargs cat",
  "find . -type f -exec grep url {} +",
];

describe("settings of git with a password in them", () => {
  it.each(CONFIG)("are asked about: %s", (command) => {
    for (const folder of ["closed", "header"])
      expect([folder, world.judge(command, folder)]).toEqual([folder, "ask"]);
  });

  it.each(CONFIG.filter((command) => !/^strings|diff -r/.test(command)))(
    "are allowed without a password: %s",
    (command) => {
      expect(world.judge(command, "open")).toBe("allow");
    },
  );

  it.each(["grep -r url .", "cat .git/modules/lib/inner/config", "find . -name config -exec cat {} +"])(
    "are found in a submodule: %s",
    (command) => {
      expect(world.judge(command, "module")).toBe("ask");
    },
  );

  it.each(["cat x.git/config", "grep -r url .", "grep -r url x.git"])(
    "are found in a bare repository: %s",
    (command) => {
      expect(world.judge(command, "bare")).toBe("ask");
    },
  );

  it.each([
    "cat .git/HEAD",
    "cat .git/packed-refs",
    "ls -la .git",
    "cat .git/info/exclude",
    "cat .git/logs/HEAD",
    "grep -r url config",
    "grep -r --include='*.md' url .",
    "grep -r --exclude-dir=.git url .",
    "rg url",
    "git status",
    "git remote",
    "git reflog -3",
  ])("do not affect other commands: %s", (command) => {
    expect(world.judge(command, "closed")).toBe("allow");
  });
});

describe("a git log file with a password in it", () => {
  it.each([
    "git reflog",
    "git reflog show HEAD",
    "git reflog show main",
    "git log -g --format=%gs",
    "git log --walk-reflogs --oneline",
    "cat .git/logs/HEAD",
    "tail -1 .git/logs/HEAD",
    "grep -r url .",
  ])("is asked about: %s", (command) => {
    expect(world.judge(command, "logged")).toBe("ask");
  });

  it.each(["git log --oneline", "cat .git/config", "git stash show"])(
    "does not affect other commands: %s",
    (command) => {
      expect(world.judge(command, "logged")).toBe("allow");
    },
  );
});

describe("git files that contain lines of other files", () => {
  it.each([
    "cat .git/COMMIT_EDITMSG",
    "cat .git/rebase-apply/0001",
    "cat .git/rebase-merge/patch",
    "cat .git/lfs/objects/ab/cd/abcd",
    "cat .git/rr-cache/x/preimage",
    "strings .git/index",
    "cat .GIT/rebase-merge/patch",
  ])("are asked about: %s", (command) => {
    expect(world.judge(command, "open")).toBe("ask");
  });
});

describe("a workspace inside a git folder", () => {
  it("is treated like any other", () => {
    world.put("open/.git/trees/x/src/a.ts");
    expect(world.judge("cat src/a.ts", "open/.git/trees/x")).toBe("allow");
    expect(world.judge("cat .git/trees/x/src/a.ts", "open")).toBe("ask");
  });
});

describe("git output formats", () => {
  it.each([
    "git config --list --name-only",
    "git config -l --name-only",
    "git config list --name-only",
    "git config --name-only --list --show-origin",
    "git config --get-regexp url",
    "git for-each-ref --format='%(push:remotename)'",
    "git for-each-ref --format='%(upstream:remotename)'",
    "git for-each-ref --format='%(upstream:short,remotename)'",
    "git for-each-ref --format='%(upstream:remoteref)'",
    "git branch --format='%(push:remotename)'",
    "git tag --format='%(raw)'",
    "git for-each-ref --format='%(*raw)'",
    "git for-each-ref --format='%(signature)'",
    "git branch --format='%(refname) %(anything)'",
    "git log --format=%GG",
    "git log --format='%-GS'",
    "git log --format=%N",
    "git log --pretty=mine",
  ])("are asked about when unknown: %s", (command) => {
    expect(world.judge(command, "open")).toBe("ask");
  });

  it.each([
    "git config user.name",
    "git config --get core.autocrlf",
    "git branch --format='%(refname:short) %(upstream:track,nobracket)'",
    "git branch --format='%(HEAD) %(refname:lstrip=2)%09%(objectname:short)'",
    "git for-each-ref --sort=-committerdate --format='%(committerdate:relative) %(authorname) %(contents:subject)' refs/heads",
    "git for-each-ref --format='%(if)%(HEAD)%(then)* %(else)  %(end)%(refname:short) %(committerdate:format:%Y-%m-%d)'",
    "git tag --format='%(refname:strip=2) %(*objectname) 100%%'",
    "git log --format='%h %an %ad %s' --date=short",
    "git log --pretty=format:'%C(yellow)%h%Creset %C(auto)%d %s %x09(%cr) <%ae>'",
    "git log --pretty=oneline",
    "git log --format=fuller -1",
    "git log --format= --name-only",
    "git log --format='%<(10,trunc)%an %(trailers:key=Co-authored-by,valueonly)%n%b'",
  ])("are allowed when known to be public: %s", (command) => {
    expect(world.judge(command, "open")).toBe("allow");
  });
});
