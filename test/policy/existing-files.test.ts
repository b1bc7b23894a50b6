import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

/** The verdict on a glob, a search or `find` depends on the files that exist. */

const scratch = openScratchWorld();
afterAll(() => scratch.close());

for (const path of [
  "CLAUDE.md",
  "conf/server.key",
  "conf/app.yml",
  "secrets/db",
  "prod.tfvars",
  "on.yml",
  ".github/workflows/ci.yml",
  "docs/a.md",
  "docs/notes.txt",
]) {
  const file = join(scratch.ws, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x\n");
}
const own = join(scratch.world.home, ".hookline");
mkdirSync(own);
symlinkSync(own, join(scratch.ws, "hl"));
symlinkSync(".github/workflows", join(scratch.ws, "wf"));

function verdictOn(toolName: string, toolInput: unknown, mode: string): string {
  return decide(EMPTY_POLICY, { toolName, toolInput, mode, cwd: scratch.ws }, scratch.world).verdict;
}

const inBypass = (command: string): string => verdictOn("Bash", { command }, "bypassPermissions");

describe("a glob that matches protected files", () => {
  it.each([
    "sed -i s/a/b/ *.md",
    "rm *.md",
    "tee *.md",
    "mv C*.md x",
    "cp on.yml w?/",
    "echo x > wf*/ci.yml",
    "cat prod.tf*",
    "cat conf/*",
    "head c?nf/ser*",
    "base64 s*/db",
    "find . -name '*.md' -exec sed -i s/a/b/ {} +",
    "find . -name '*.md' | xargs rm",
    "find conf -name 's*' -exec cat {} +",
  ])("is asked about: %s", (command) => {
    expect(inBypass(command)).toBe("ask");
  });

  it.each(["cat h?/token", "cat [h]l/token", "base64 h*/daemon.pid", "sqlite3 h?/hookline.db .dump"])(
    "is denied where it matches our own keys: %s",
    (command) => {
      expect(inBypass(command)).toBe("deny");
    },
  );

  it.each([
    "cat *.md",
    "wc -l *.md",
    "rm -f docs/*.txt",
    "sed -i s/a/b/ docs/*.md",
    "cat docs/*",
    "find docs -name '*.md' -exec sed -i s/a/b/ {} +",
    "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
  ])("is allowed where it matches none: %s", (command) => {
    expect(inBypass(command)).toBe("allow");
  });
});

describe("the Grep tool", () => {
  it.each([
    { path: "secrets" },
    { path: "conf", glob: "*.k*" },
    { path: "conf", output_mode: "content" },
    { glob: "*.tfv*" },
    { glob: "conf/*" },
  ])("asks before a folder or glob with a secret in it: %j", (input) => {
    for (const mode of ["default", "bypassPermissions"])
      expect(verdictOn("Grep", { pattern: "x", ...input }, mode)).toBe("ask");
  });

  it.each([{}, { path: "." }, { path: "src" }, { path: "docs" }, { glob: "*.ts" }, { glob: "*.md" }])(
    "searches the workspace without asking: %j",
    (input) => {
      expect(verdictOn("Grep", { pattern: "x", ...input }, "default")).toBe("allow");
    },
  );

  it("asks before searching a whole home, which includes our own files", () => {
    expect(verdictOn("Grep", { pattern: "x", path: "~" }, "bypassPermissions")).toBe("ask");
  });
});
