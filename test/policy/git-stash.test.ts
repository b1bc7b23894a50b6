import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitWorld, openGitWorld } from "./git-world.ts";

let world: GitWorld;
/** Object ids, by the names that the commands below use for them. */
const numbers: Record<string, string> = {};

function judge(command: string): string {
  const filled = command.replace(/\{\w+\}/g, (name) => numbers[name] ?? name);
  return world.judge(filled, "stashed");
}

describe("a stash", () => {
  beforeAll(() => {
    world = openGitWorld();
    world.put("stashed/a.ts");
    world.git("stashed", "init", "-q", "-b", "main");
    world.git("stashed", "add", "a.ts");
    world.git("stashed", "commit", "-q", "-m", "first");
    world.put("stashed/a.ts", "changed\n");
    world.put("stashed/.env");
    world.git("stashed", "stash", "--include-untracked", "-q");
    numbers["{third}"] = world.git("stashed", "rev-parse", "stash^3");
    numbers["{short}"] = numbers["{third}"]!.slice(0, 4);
    numbers["{stashed}"] = world.git("stashed", "rev-parse", "stash^3:.env");
  });

  afterAll(() => world.close());

  const commands = [
    "git stash show -u",
    "git stash show -p",
    "git stash show --no-color",
    "git stash show --color=always",
    "git stash show -M",
    "git stash show --abbrev=7",
    "git stash show --no-relative",
    "git stash show -p --include-untracked",
    "git stash list -p",
    "git stash list -m",
    "git stash list --cc",
    "git show stash",
    "git show -m stash",
    "git show stash^3",
    "git show stash@{0}^3",
    "git show 'stash^@'",
    "git show 'stash^-'",
    "git show 'stash^3:notes.txt'",
    "git show --stat 'stash^3:notes.txt'",
    "git show {third}",
    "git show {short}",
    "git show '{third}~0'",
    "git show x-1-g{third}",
    "git show main..{third}",
    "git show ':/untracked files'",
    "git log -p stash",
    "git log -p 'stash@{0}'",
    "git log -p 'stash@{now}'",
    "git log -p refs/stash",
    "git log -p refs/STASH",
    "git log -p main-worktree/refs/stash",
    "git log -p main..stash",
    "git log -p stash...main",
    "git log -p ^main stash",
    "git log -p stash --",
    "git log -p stash^3",
    "git log -U3 stash",
    "git log -p -g",
    "git log -p --all",
    "git log --all -S KEY=a",
    "git log --glob=stash -p",
    "git log --glob='s*' -p",
    "git reflog show -m -p stash",
    "git reflog -p stash",
    "git diff-tree -m -p stash",
    "git diff-tree -p {third}",
    "git diff main stash",
    "git diff HEAD...stash",
    "git grep x stash",
    "git grep x 'stash^@'",
    "git blame stash -- a.ts",
    "git cat-file -p stash",
    "git cat-file -p {stashed}",
    "git cat-file blob {stashed}",
    "git show --stat {stashed}",
  ];

  it.each(commands)("is not shown with its untracked files: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it("is found among packed references", () => {
    world.git("stashed", "pack-refs", "--all");
    for (const command of ["git log -p --all", "git show {third}"])
      expect([command, judge(command)]).toEqual([command, "ask"]);
  });

  it.each([
    "git stash list",
    "git stash show",
    "git stash show --stat",
    "git log --all --oneline",
    "git log --oneline stash",
    "git log -p",
    "git log -p main",
    "git log -p main..HEAD -- a.ts",
    "git log -p -- src/stash.ts",
    "git show HEAD",
    "git show HEAD~1",
    "git show HEAD^2",
    "git show 'HEAD^!'",
    "git show HEAD:a.ts",
    "git diff",
    "git diff main...feature/x",
    "git diff '@{u}'",
    "git grep x",
    "git log -1 {third}",
  ])("does not affect other commands: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});
