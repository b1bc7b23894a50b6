import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRecipe, recipeRules } from "./recipes.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-recipe-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs a recipe's command as a reaction would. */
function run(name: string, env: Record<string, string> = {}, options: Record<string, string> = {}) {
  const [rule] = recipeRules(findRecipe(name), options, null).reactions!;
  if (rule?.do.type !== "command") throw new Error(`${name} has no command`);
  const { status, stdout, stderr } = spawnSync("sh", ["-c", rule.do.command], {
    cwd: root,
    env: { ...gitEnv(), HOOKLINE_CWD: root, HOOKLINE_SESSION: "0f9c1a2b-7777-4444", ...env },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function gitEnv(): Record<string, string> {
  const identity = { NAME: "Me", EMAIL: "me@example.org" };
  return {
    PATH: process.env["PATH"]!,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: dirname(root),
    ...Object.fromEntries(
      Object.entries(identity).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
  };
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, env: gitEnv(), encoding: "utf8" }).trim();
}

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function repository(): void {
  git("init", "-q", "-b", "main");
  put("a.txt", "a\n");
  git("add", "a.txt");
  git("commit", "-q", "-m", "First");
}

describe("commit-after-edit", () => {
  it("commits only that file and leaves staged changes alone", () => {
    repository();
    put("staged.txt", "x");
    git("add", "staged.txt");
    const file = put("dir/it's new.txt", "x");
    const { status, stdout } = run("commit-after-edit", { HOOKLINE_FILE: file, HOOKLINE_TOOL: "Write" });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${file} was committed as ${git("rev-parse", "--short", "HEAD")}.\n`,
    });
    expect(git("log", "-1", "--format=%s", "--name-only")).toBe("Write dir/it's new.txt\n\ndir/it's new.txt");
    expect(git("diff", "--cached", "--name-only")).toBe("staged.txt");
  });

  it("prints nothing where there is nothing to commit: no change, ignored, a secret, no repository, a merge", () => {
    const file = put("a.txt", "a\n");
    const noOutput = { status: 0, stdout: "", stderr: "" };
    expect(run("commit-after-edit", { HOOKLINE_FILE: file })).toEqual(noOutput);
    repository();
    expect(run("commit-after-edit", { HOOKLINE_FILE: file })).toEqual(noOutput);
    put(".gitignore", "*.log\n");
    expect(run("commit-after-edit", { HOOKLINE_FILE: put("x.log", "x") })).toEqual(noOutput);
    expect(run("commit-after-edit", { HOOKLINE_FILE: put(".env", "x") })).toEqual(noOutput);
    expect(run("commit-after-edit", { HOOKLINE_FILE: join(root, "gone.txt") })).toEqual(noOutput);
    put(".git/MERGE_HEAD", git("rev-parse", "HEAD"));
    expect(run("commit-after-edit", { HOOKLINE_FILE: put("a.txt", "b\n") })).toEqual(noOutput);
    expect(git("log", "--oneline").split("\n")).toHaveLength(1);
  });

  it("uses a message verbatim", () => {
    repository();
    const message = 'It\'s $(touch pwned) "done"';
    run("commit-after-edit", { HOOKLINE_FILE: put("a.txt", "b\n") }, { message });
    expect(git("log", "-1", "--format=%s")).toBe(message);
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });
});

describe("format-after-edit", () => {
  it("runs the formatter of the file's own project, and reports a changed file", () => {
    const biome = put("web/node_modules/.bin/biome", '#!/bin/sh\necho noise; printf done >"$3"\n');
    chmodSync(biome, 0o755);
    const file = put("web/src/deep/a b.ts", "x");
    const { status, stdout } = run("format-after-edit", { HOOKLINE_FILE: file });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S.*a b\.ts was formatted after this edit/);
    expect(readFileSync(file, "utf8")).toBe("done");
    expect(run("format-after-edit", { HOOKLINE_FILE: file }).stdout).toBe("");
  });

  it("leaves a file without a formatter alone", () => {
    const noOutput = { status: 0, stdout: "", stderr: "" };
    expect(run("format-after-edit", { HOOKLINE_FILE: put("a.ts", "x") })).toEqual(noOutput);
    expect(run("format-after-edit", { HOOKLINE_FILE: "" })).toEqual(noOutput);
    expect(run("format-after-edit", { HOOKLINE_FILE: "a.ts" })).toEqual(noOutput);
  });

  it("runs a custom command", () => {
    const file = put("a.sql", "select");
    const { stdout } = run(
      "format-after-edit",
      { HOOKLINE_FILE: file },
      { command: 'printf SELECT >"$HOOKLINE_FILE"' },
    );
    expect(stdout).toContain("a.sql was formatted");
  });
});

describe("recipes at the end of a turn", () => {
  it("test-at-stop fails with the output of the tests, and passes without tests", () => {
    expect(run("test-at-stop")).toMatchObject({ status: 0, stdout: "" });
    put("package.json", '{ "scripts": { "test": "echo two are red; exit 3" } }');
    const failed = run("test-at-stop");
    expect(failed.status).not.toBe(0);
    expect(failed.stdout).toContain("two are red");
    put("package.json", '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }');
    expect(run("test-at-stop").status).toBe(0);
    expect(run("test-at-stop", {}, { command: "exit 7" }).status).toBe(7);
  });

  it("check-dependencies-at-stop names the missing dependencies", () => {
    expect(run("check-dependencies-at-stop")).toMatchObject({ status: 0, stdout: "" });
    put("package.json", '{ "dependencies": { "no-such-package-here": "1.0.0" } }');
    expect(run("check-dependencies-at-stop").status).toBe(0);
    mkdirSync(join(root, "node_modules"));
    const failed = run("check-dependencies-at-stop");
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain("no-such-package-here");
  });

  it("warn-uncommitted counts changes, and is silent without any", () => {
    expect(run("warn-uncommitted")).toEqual({ status: 0, stdout: "", stderr: "" });
    repository();
    expect(run("warn-uncommitted").stdout).toBe("");
    put("a.txt", "b\n");
    put("b.txt", "b\n");
    expect(run("warn-uncommitted").stdout).toBe(`Not committed: 2 changed or new in ${root}\n`);
  });
});

describe("recipes of a session", () => {
  it("branch-per-session switches to its own branch once", () => {
    expect(run("branch-per-session")).toEqual({ status: 0, stdout: "", stderr: "" });
    git("init", "-q", "-b", "main");
    expect(run("branch-per-session").stdout).toBe("");
    repository();
    expect(run("branch-per-session").stdout).toMatch(/own branch, session\/\d{4}-\d\d-\d\d-0f9c1a2b\.\n$/);
    expect(git("branch", "--show-current")).toMatch(/^session\/.*-0f9c1a2b$/);
    expect(run("branch-per-session").stdout).toBe("");
  });

  it("git-context prints the branch, changes, commits and to-dos", () => {
    expect(run("git-context").stdout).toBe("");
    repository();
    put("a.txt", "TODO: more\n");
    put("TODO.md", "- write the docs\n");
    const { status, stdout } = run("git-context");
    expect(status).toBe(0);
    for (const text of ["## main", " M a.txt", "First", "a.txt:1:TODO: more", "- write the docs"])
      expect(stdout).toContain(text);
  });

  it("backup-before-compaction keeps the last twenty copies and touches nothing else", () => {
    const HOOKLINE_TRANSCRIPT = put("t.jsonl", "{}\n");
    for (let n = 10; n < 40; n++) put(`copies/202601${n}T000000Z-s ${n}.jsonl`, "{}\n");
    put("copies/mine.jsonl", "{}\n");
    const done = run("backup-before-compaction", { HOOKLINE_TRANSCRIPT }, { folder: join(root, "copies") });
    expect(done).toEqual({ status: 0, stdout: "", stderr: "" });
    const remaining = readdirSync(join(root, "copies")).sort();
    expect(remaining).toHaveLength(21);
    expect([remaining[0], remaining.at(-1)]).toEqual(["20260121T000000Z-s 21.jsonl", "mine.jsonl"]);
  });

  it("backup-before-compaction stores the transcript readable only by its owner", () => {
    const transcript = put("t.jsonl", "{}\n");
    const env = { HOOKLINE_TRANSCRIPT: transcript, HOOKLINE_HOME: join(root, "hook line") };
    expect(run("backup-before-compaction", env)).toEqual({ status: 0, stdout: "", stderr: "" });
    const folder = join(root, "hook line/backups");
    const [name] = readdirSync(folder);
    expect(name).toMatch(/^\d{8}T\d{6}Z-0f9c1a2b-7777-4444\.jsonl$/);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
    run(
      "backup-before-compaction",
      { HOOKLINE_TRANSCRIPT: transcript },
      { folder: join(root, "else where") },
    );
    expect(readdirSync(join(root, "else where"))).toHaveLength(1);
    expect(run("backup-before-compaction", { HOOKLINE_TRANSCRIPT: "" }).status).toBe(0);
  });
});
