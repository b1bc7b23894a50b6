// The hook finds a project's digest where the daemon writes it: both must resolve the same project.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { createProjectOf } from "../../src/capture/project-of.ts";
import { hookEntries } from "../../src/hook/commands.ts";
import { makePlace, type Place, runCommand, silent } from "./run-command.ts";

const give = hookEntries(claude)["SessionStart"]!.find(({ matcher }) => matcher === "startup|clear")!
  .hooks[0]!.command;
const shells = [
  ["/bin/sh"],
  ["/bin/dash"],
  ["/bin/bash", "--norc", "--posix"],
  ["/bin/bash", "--norc"],
  ["/bin/busybox", "sh"],
].filter(([file]) => existsSync(file!)) as [string, ...string[]][];

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const at = (path: string) => join(place.root, path);
const folder = (path: string) => mkdirSync(at(path), { recursive: true });
const file = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    "git",
    ["-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "protocol.file.allow=always", ...args],
    { cwd: at(cwd), stdio: "pipe", env: { PATH: process.env["PATH"], HOME: place.root } },
  );
const repository = (path: string) => {
  folder(path);
  git(path, "init", "-q");
  git(path, "commit", "-q", "--allow-empty", "-m", "first");
};

/** A layout, the folder a session starts in, and the project it belongs to. */
const layouts: readonly (readonly [string, () => unknown, string, string])[] = [
  ["a repository", () => repository("shop"), "shop", "shop"],
  ["its subfolder", () => [repository("shop"), folder("shop/a/b c")], "shop/a/b c", "shop"],
  [
    "a worktree, with an absolute pointer",
    () => [repository("shop"), git("shop", "worktree", "add", "-q", "../tree")],
    "tree",
    "shop",
  ],
  [
    "a subfolder of a worktree that lies inside the repository",
    () => [
      repository("shop"),
      git("shop", "worktree", "add", "-q", ".trees/fix"),
      folder("shop/.trees/fix/src"),
    ],
    "shop/.trees/fix/src",
    "shop",
  ],
  [
    "a worktree with a relative pointer",
    () => {
      repository("shop");
      git("shop", "worktree", "add", "-q", "../deep/tree");
      file("deep/tree/.git", "gitdir: ../../shop/.git/worktrees/tree\n");
    },
    "deep/tree",
    "shop",
  ],
  [
    "a worktree of a bare repository",
    () => {
      repository("shop");
      git(".", "clone", "-q", "--bare", "shop", "shop.git");
      git("shop.git", "worktree", "add", "-q", "../tree");
    },
    "tree",
    "shop.git",
  ],
  [
    "a bare repository hidden beside its worktrees",
    () => {
      repository("first");
      git(".", "clone", "-q", "--bare", "first", "shop/.bare");
      file("shop/.git", "gitdir: ./.bare\n");
      git("shop", "worktree", "add", "-q", "main-tree");
    },
    "shop/main-tree",
    "shop/.bare",
  ],
  [
    "the folder of that pointer",
    () => {
      repository("first");
      git(".", "clone", "-q", "--bare", "first", "shop/.bare");
      file("shop/.git", "gitdir: ./.bare\n");
    },
    "shop",
    "shop",
  ],
  [
    "a submodule",
    () => {
      repository("part");
      repository("shop");
      git("shop", "submodule", "--quiet", "add", "../part", "lib/part");
      folder("shop/lib/part/src");
    },
    "shop/lib/part/src",
    "shop/lib/part",
  ],
  [
    "a worktree of a submodule",
    () => {
      repository("part");
      repository("shop");
      git("shop", "submodule", "--quiet", "add", "../part", "part");
      git("shop/part", "worktree", "add", "-q", "../../tree");
    },
    "tree",
    "shop/.git/modules/part",
  ],
  [
    "a repository in a repository",
    () => [repository("shop"), repository("shop/vendor/x")],
    "shop/vendor/x",
    "shop/vendor/x",
  ],
  ["no repository", () => folder("notes/today"), "notes/today", "notes/today"],
  ["a folder that is gone", () => undefined, "gone/away", "gone/away"],
  ["a folder that is gone from a repository", () => repository("shop"), "shop/gone/away", "shop"],
  [
    "a repository behind a link",
    () => [repository("real"), symlinkSync(at("real"), at("link"))],
    "link",
    "link",
  ],
  [
    "a worktree behind a link, with a relative pointer",
    () => {
      repository("deep/shop");
      git("deep/shop", "worktree", "add", "-q", "../tree");
      file("deep/tree/.git", "gitdir: ../shop/.git/worktrees/tree");
      symlinkSync(at("deep"), at("link"));
    },
    "link/tree",
    "link/shop",
  ],
  [
    "a link named .git",
    () => [repository("shop"), folder("other"), symlinkSync(at("shop/.git"), at("other/.git"))],
    "other",
    "other",
  ],
  [
    "a .git that leads nowhere",
    () => [repository("shop"), folder("shop/x"), symlinkSync("/nowhere", at("shop/x/.git"))],
    "shop/x",
    "shop",
  ],
  ["a .git that is no pointer", () => [repository("shop"), file("shop/x/.git", "hello\n")], "shop/x", "shop"],
  ["an empty .git", () => [repository("shop"), file("shop/x/.git", "")], "shop/x", "shop"],
  [
    "a worktree whose repository is gone",
    () => {
      repository("shop");
      git("shop", "worktree", "add", "-q", "../tree");
      renameSync(at("shop"), at("moved"));
    },
    "tree",
    "tree",
  ],
  [
    "names that a shell might read",
    () => {
      repository(`a 'b" $HOME *`);
      git(`a 'b" $HOME *`, "worktree", "add", "-q", "-b", "fix", "../-n [x] \\t `id`");
      folder("-n [x] \\t `id`/~ é ;&|");
    },
    "-n [x] \\t `id`/~ é ;&|",
    `a 'b" $HOME *`,
  ],
  ["a name with a newline", () => [repository("a\nb"), folder("a\nb/c\n")], "a\nb/c\n", "a\nb"],
];

describe.each(shells.map((shell) => ({ shell })))("in $shell", ({ shell }) => {
  it.each(layouts)("%s", async (_, lay, start, project) => {
    lay();
    expect(createProjectOf()(at(start))).toBe(at(project));
    const digest = (path: string, text: string) => file(`.hookline/context${path}/startup.json`, text);
    digest(at(project), `{"of":"the project"}`);
    for (let above = dirname(at(project)); above !== "/"; above = dirname(above)) digest(above, "above");
    if (start !== project) digest(at(start), "below");
    const env = { ...place.env, CLAUDE_PROJECT_DIR: at(start) };
    const run = await runCommand(give, { env, shell, cwd: "/" });
    expect(run).toMatchObject({ ...silent, stdout: `{"of":"the project"}` });
  });
});

it("prints nothing when only folders above or below the project have a digest", async () => {
  repository("outer/shop");
  folder("outer/shop/src");
  for (const path of ["outer", "outer/shop/src"]) file(`.hookline/context${at(path)}/startup.json`, "wrong");
  const env = { ...place.env, CLAUDE_PROJECT_DIR: at("outer/shop/src") };
  expect(await runCommand(give, { env })).toMatchObject(silent);
  rmSync(at("outer/shop/.git"), { recursive: true });
  expect(await runCommand(give, { env })).toMatchObject({ ...silent, stdout: "wrong" });
});
