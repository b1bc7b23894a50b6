import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import type { World } from "../../src/policy/request.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

/** Verdicts depend on the existing files: names that are options, links, secrets, repositories. */

const scratch = openScratchWorld();
afterAll(() => scratch.close());

function add(path: string, content = "x\n"): void {
  const file = join(scratch.ws, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

for (const path of [
  "dash/-oREADME.md",
  "dash/b.ts",
  "bare/HEAD",
  "bare/config",
  "bare/objects/x",
  "bare/in/x.ts",
  "blank /etc/hosts.ts",
  "blanks/x .env y.ts",
  "conf/secrets.json",
  "keys/server.key",
  "pkg/.env.local",
  "pkg/a.ts",
  "plain/a.ts",
  "plain/b.ts",
])
  add(path);
mkdirSync(join(scratch.ws, "linked"));
symlinkSync("/etc/passwd", join(scratch.ws, "linked", "p.ts"));
symlinkSync("/etc", join(scratch.ws, "linked", "etc"));

function verdictOn(command: string, world: World = scratch.world): string {
  const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd: scratch.ws };
  return decide(EMPTY_POLICY, request, world).verdict;
}

describe("a workspace with hostile files", () => {
  it.each([
    "cd dash && sort *",
    "cd dash; cat *",
    "cd dash && ls | xargs sort",
    "ls dash | xargs sort",
    "git -C bare status",
    "git -C bare/in log",
    "cd bare && git status",
    "(cd bare/in; git diff)",
    "find 'blank ' -name '*.ts' | xargs cat",
    "find . -name '*.ts' | xargs cat",
    "for f in blanks/*.ts; do cat $f; done",
    "cat conf/*",
    "cat conf/s*.json",
    "cat keys/*",
    "head */*.key",
    "grep -rn x conf",
    "grep -rn x keys",
    "grep -rn x pkg",
    "grep -rn x .",
    "rg x keys",
    "rg x",
    "rg --hidden x pkg",
    "rg -uu x pkg",
    "diff -r pkg plain",
    "diff pkg plain",
    "cat linked/p.ts",
    "cat linked/*.ts",
    "ls linked/etc",
    "ls linked/*/",
    "grep -R x linked",
    "rg -L x linked",
    "find linked -name '*.ts' -exec cat {} +",
    "find linked -name '*.ts' | xargs head",
    "find . -name '*.key' -exec head {} +",
    "find . ! -name '*.md' -exec head {} +",
    "uniq plain/*",
    "xxd plain/*",
    "find plain -name '*.ts' -exec uniq {} +",
    "cd nope; cat ../x",
    "cd nope && ls; cat ../x",
    "{ cd nope && ls; }; cat ../x",
    "cd nope && ls || cat ../x",
    "! cd nope && cat ../x",
    "cd nope && ls & cat ../x",
    "bash -c 'cd nope; cat ../x' && ls",
    "bash -c 'cd nope && ls; cat ../x'",
    "if cd nope && ls; then ls; fi; cat ../x",
    "grep -r '' plain .",
    "rg -uu foo",
    "diff -rN . plain",
    "diff -rq pkg plain",
    "cd plain; for i in 1 2 3; do cd ..; done; ls",
  ])("is asked about: %s", (command) => {
    expect(verdictOn(command)).toBe("ask");
  });

  it.each([
    "cat plain/*",
    "sort plain/*.ts",
    "grep -rn x plain",
    "grep -rn x pkg --include='*.ts'",
    "grep -rn x pkg --exclude='.env*'",
    "rg x pkg",
    "rg -g '*.ts' x",
    "diff -rq plain plain",
    "ls -d linked/*",
    "find plain -name '*.ts' | xargs cat",
    "find plain -type f -exec head -1 {} +",
    "find . -name '*.md' -exec head -1 {} +",
    'for f in blanks/*.ts; do wc -l "$f"; done',
    "for f in plain/*.ts; do cat $f; done",
    "cd plain && git status",
    "cd plain; git status",
    "cd nope && ls",
    "cd nope && git log -3 | head",
    "git -C plain log -3",
  ])("allows commands that touch none of them: %s", (command) => {
    expect(verdictOn(command)).toBe("allow");
  });

  it("asks about every command that depends on existing files when folders cannot be listed", () => {
    const { home, realPath } = scratch.world;
    const blind: World = { home, realPath };
    for (const command of ["cat plain/*", "grep -rn x plain", "git status", "cd plain; ls"])
      expect([command, verdictOn(command, blind)]).toEqual([command, "ask"]);
    expect(verdictOn("cat README.md", blind)).toBe("allow");
  });
});
