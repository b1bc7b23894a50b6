import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitWorld, openGitWorld } from "./git-world.ts";

let world: GitWorld;
/** Object ids, by the names that the commands below use for them. */
const numbers: Record<string, string> = {};

beforeAll(() => {
  world = openGitWorld();
  const { git, put } = world;
  for (const path of ["a.ts", "src/b.ts", "conf/server.key", "conf/app.yml", "HEAD.md", "dev/x.ts", ".env"])
    put(`ws/${path}`);
  put("plain/a.ts");
  put("plain/.env");
  put("ws/nested/x.ts");
  for (const folder of ["ws", "plain", "ws/nested"]) git(folder, "init", "-q", "-b", "main");
  git("ws", "add", "a.ts", "src", "conf", "dev", ".env");
  git("plain", "add", "a.ts");
  for (const folder of ["ws", "plain"]) git(folder, "commit", "-q", "-m", "first");
  git("ws", "branch", "dev");
  numbers["{blob}"] = git("ws", "rev-parse", "HEAD:.env");
  numbers["{commit}"] = git("ws", "rev-parse", "HEAD");
});

afterAll(() => world.close());

function judge(command: string, folder = "ws"): string {
  const filled = command.replace(/\{\w+\}/g, (name) => numbers[name] ?? name);
  return world.judge(filled, folder);
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
  "git status -v",
  "git log --word-diff",
  "git log -L 1,2:a.ts",
  "git reflog -p",
  "git diff --stat -I KEY=a",
  "git show -m HEAD",
  "git show --tags HEAD:a.ts",
  "git show --branches HEAD:a.ts",
  "git show --all HEAD:a.ts",
];

/** Paths that match more than they seem to, and revisions that name files indirectly. */
const WIDER = [
  "git grep K -- '*'",
  "git grep K -- '?env'",
  "git grep K -- '[.]env'",
  "git grep K -- 'a*' '*v'",
  "git grep K -- a.ts '*'",
  "git grep K -- ':/'",
  "git grep K -- ':!a.ts'",
  "git grep K -- a.ts ..",
  "git grep K -- src/../conf",
  "git grep K -- gone.ts",
  "git grep K -- '\\.env'",
  "git log -p -- a.ts '????'",
  "git diff HEAD -- '?e*'",
  "git diff -- *.key a.ts",
  "git log -p dev --",
  "git diff HEAD dev --",
  "git grep K dev --",
  "git show dev --",
  "git grep -- K src",
  "git log -p --full-diff -- a.ts",
  "git log -p --follow -- a.ts",
  "git log -p -C --find-copies-harder -- a.ts",
  "git log -p -g -- .",
  "git grep K HEAD:conf",
  "git diff HEAD:conf dev:conf",
  "git diff HEAD:conf dev:conf -- src",
  "git show 'HEAD^{/fix: env}'",
  "git show 'HEAD^{/fix:}'",
  "git show ':/fix: env'",
  "git show 'HEAD@{2026-01-01 12:00}'",
  "git show HEAD:a.ts HEAD",
  "git show {blob}",
  "git show --stat {blob}",
  "git show -s {blob}",
  "git show --raw {blob}",
  "git show --name-only {blob}",
  "git cat-file -p {blob}",
  "git cat-file blob {blob}",
  "git cat-file -p 'HEAD^{tree}:.env'",
  "git show {commit}",
  "find . -name '*.ts' | xargs git grep K",
];

describe("a committed secret file", () => {
  it.each(SHOWING)("is not shown without asking: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(WIDER)("is not shown under another name: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(["3", "4"])("is found in an index of version %s", (version) => {
    world.git("ws", "update-index", "--index-version", version);
    expect(judge("git grep x")).toBe("ask");
    world.git("ws", "update-index", "--index-version", "2");
  });

  it("is found from another work tree", () => {
    world.git("ws", "worktree", "add", "-q", join(world.home, "tree"));
    expect(judge("git grep x", "tree")).toBe("ask");
    expect(judge("git grep x src", "tree")).toBe("allow");
  });

  it.each([
    "git grep x src",
    "git grep x -- a.ts",
    "git grep -n x HEAD -- src a.ts",
    "git diff HEAD -- src/b.ts",
    "git show HEAD -- a.ts",
    "git log -S x --oneline -- src",
    "git log -p -3 --format=%h -- dev",
    "git blame a.ts",
    "git blame -L 1,2 HEAD -- src/b.ts",
    "git show --stat HEAD dev",
    "git cat-file -p HEAD",
    "git cat-file -t {blob}",
    "git cat-file blob HEAD:src/b.ts",
    "git diff-tree --no-commit-id --name-only -r HEAD",
    "git stash show",
    "git stash show --stat --no-color",
    "git stash list --oneline",
    "git diff src",
    "git diff --stat",
    "git diff --name-only HEAD~1",
    "git show --stat",
    "git show HEAD:a.ts",
    "git log --oneline -5",
    "git log --stat",
    "git log -p -- src",
    "git status",
  ])("does not affect other commands: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });

  it.each([
    ...SHOWING.filter((command) => !/conf|~|stash/.test(command)),
    "git blame a.ts",
    "git log -p --all",
    "git log -p --full-diff -- a.ts",
    "git grep -l x -- '*.ts'",
    "git show 'HEAD^{/first}'",
    "git show abc1234",
    "git cat-file -p HEAD:a.ts",
    "git stash show",
    "git stash list",
    "git reflog -3",
  ])("does not count where it is only in the folder: %s", (command) => {
    expect(judge(command, "plain")).toBe("allow");
  });
});

describe("a comparison with files outside a repository", () => {
  it.each(["git -C near diff . ../src", "git -C near diff ../src .", "cd near && git diff -- . ../src"])(
    "compares files, tracked or not: %s",
    (command) => {
      world.put("plain/near/a.ts");
      world.put("plain/src/a.ts");
      world.git("plain/near", "init", "-q", "-b", "main");
      expect(judge(command, "plain")).toBe("allow");
      world.put("plain/near/.env");
      expect(judge(command, "plain")).toBe("ask");
      rmSync(join(world.home, "plain/near/.env"));
    },
  );
});

describe("the address of a remote", () => {
  const commands = ["git remote -v", "git remote get-url origin"];
  const set = (url: string): void => {
    world.git("plain", "config", "remote.origin.url", url);
  };

  it.each(["https://me:hunter2@example.org/x.git", "https://abcdef0123456789@example.org/x.git"])(
    "is asked about with a password in it: %s",
    (url) => {
      set(url);
      for (const command of commands) expect(judge(command, "plain")).toBe("ask");
      expect(judge("git remote", "plain")).toBe("allow");
    },
  );

  it.each([
    "https://example.org/x.git",
    "https://contoso@dev.azure.com/contoso/_git/x",
    "git@example.org:x.git",
    "ssh://git@example.org/x.git",
  ])("is shown without one: %s", (url) => {
    set(url);
    for (const command of commands) expect(judge(command, "plain")).toBe("allow");
  });

  it("is asked about where git inserts a password", () => {
    world.put(".gitconfig", '[url "https://me:hunter2@example.org/"]\n  insteadOf = https://example.org/\n');
    for (const command of commands) expect(judge(command, "plain")).toBe("ask");
    world.put(".gitconfig", "");
  });
});

describe("the extent of a repository", () => {
  it.each([
    "git -C nested diff ../empty ../conf",
    "git -C nested diff --stat ../a.ts ../conf/server.key",
    "cd nested && git diff ../src ../conf",
    "git -C nested diff -p -- ../src ../conf",
  ])("ends where its files end: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it("does not include a folder that only has the name", () => {
    world.put("fake/.git/x");
    world.put("fake/conf/server.key");
    world.put("fake/src/a.ts");
    expect(judge("git diff src conf", "fake")).toBe("ask");
    expect(judge("git diff HEAD~1 -- src/a.ts", "fake")).toBe("allow");
  });

  it.each(["head", "Head", "HEAD", "he\u200bad", ".GIT"])(
    "includes a bare repository on case-insensitive disks: %s",
    (name) => {
      world.put(`spelled/${encodeURIComponent(name)}/${name}`);
      expect(judge("git status", join("spelled", encodeURIComponent(name)))).toBe("ask");
      expect(judge(`git -C ${encodeURIComponent(name)} log -1`, "spelled")).toBe("ask");
    },
  );
});

describe("An index that is too large to scan", () => {
  beforeAll(() => {
    for (const file of ["a.ts", "src/b.ts", ".env"]) world.put(`large/${file}`);
    world.git("large", "init", "-q", "-b", "main");
    world.git("large", "add", ".");
    world.git("large", "commit", "-q", "-m", "first");
    truncateSync(join(world.home, "large/.git/index"), 5_000_000);
  });

  it.each(["git diff HEAD~1", "git show HEAD", "git log -p", "git grep x", "git diff HEAD -- src"])(
    "may contain secrets: %s",
    (command) => {
      expect(judge(command, "large")).toBe("ask");
    },
  );

  it.each(["git diff HEAD -- a.ts", "git log --oneline", "git show HEAD:a.ts", "git status"])(
    "does not affect named files and listings: %s",
    (command) => {
      expect(judge(command, "large")).toBe("allow");
    },
  );
});
