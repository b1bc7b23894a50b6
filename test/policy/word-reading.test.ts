import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { openScratchWorld } from "./scratch-world.ts";

/** A shell may read words otherwise than they are written: by its settings, and by numbers that only it knows. */

const scratch = openScratchWorld();
afterAll(() => scratch.close());

for (const path of [
  "conf/server.key",
  "conf/app.yml",
  "empty/x",
  "h:c/y.tar",
  "h:x.tar",
  "x.tar",
  "docs/a.md",
]) {
  const file = join(scratch.ws, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "x\n");
}
symlinkSync(scratch.out, join(scratch.ws, "out42"));
symlinkSync(join(scratch.out, "x"), join(scratch.ws, "x42"));

function judge(command: string): string {
  const request = { toolName: "Bash", toolInput: { command }, mode: "default", cwd: scratch.ws };
  return decide(EMPTY_POLICY, request, scratch.world).verdict;
}

describe("settings that change how words are read", () => {
  it.each([
    "shopt -s nullglob; grep -r KEY *.zzz",
    "shopt -s dotglob; cat docs/*",
    "shopt -u globstar; ls",
    "shopt -s extglob nocaseglob; cat docs/*",
    "shopt -s lastpipe; ls",
    "shopt -so noglob; ls",
    "shopt; ls",
    "set -f; cat docs/*",
    "set -o noglob; cat docs/*",
    "set -euf; ls",
    "set -o posix; ls",
    "set -k; ls",
    "set -o allexport; ls",
    "setopt nullglob; ls",
    "unsetopt nomatch; ls",
    "emulate ksh; ls",
    "bash -O nullglob -c ls",
    "bash -fc 'cat docs/*'",
    "GLOBIGNORE=x; ls",
    "IFS=/; ls",
    "GLOBIGNORE=x ls *",
    "export GLOBIGNORE=x; ls",
    "BASHOPTS=nullglob ls *",
  ])("are asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "set -e; ls",
    "set -euxo pipefail; ls",
    "set -o errexit -o nounset; ls",
    "set +x; ls",
    "set -ev; ls",
  ])("are not those for errors and tracing: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a glob that finds nothing", () => {
  it.each([
    "grep -r KEY *.zzz",
    "grep -r KEY zz*/",
    "grep -r *.zzz docs",
    "grep -rh --include *.zzz '*' docs",
    "rg --hidden KEY *.zzz",
    "find . -name *.zzz -name -delete",
    "find docs -newer *.zzz -name -delete",
    "find *.zzz -exec cat {} +",
    "find *.zzz | xargs cat",
    "yq .[0] docs/a.md",
  ])("may be gone, so that the rest is read otherwise: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "cat *.zzz",
    "ls *.zzz",
    "grep KEY *.zzz",
    "grep -rn KEY docs/*.md",
    "wc -l *.zzz",
    "find docs -mtime -7",
  ])("is harmless where nothing more is read without it: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("what a glob finds", () => {
  it.each([
    "tar tf *.tar",
    "tar tf h*/y.tar",
    "tar tf ?.tar",
    "cat docs[/]a.md",
    "cat a[b/c]d",
    "ls conf[!x/]server.key",
    "ls .*",
    "grep -rn foo .*",
    "grep -c x CONF/SERVER*",
    "find con* -exec cat {} +",
    "find con* -type f | xargs head",
    "echo out4*/*",
    "echo ./out4?/*",
    'for f in out42/*; do echo "== $f"; done',
    "cat ^README.md",
    "head -5 src/^a.ts",
  ])("may be more than it looks like: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "tar tf x.tar",
    "cat docs/*",
    "echo *.md src/*",
    "echo [1/3] done",
    "ls src/[a-z].ts",
    "ls -d */",
  ])("is read where all of it is open: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a listing that follows links", () => {
  it.each([
    "ls -RL",
    "ls -LR src",
    "ls --recursive --dereference .",
    "du -L .",
    "du -aL",
    "du --dereference src",
  ])("may leave the workspace: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each(["fd -L x", "fd --follow . src", "rg --files -L", "rg --files --follow ."])(
    "whatever the program calls it: %s",
    (command) => {
      expect(judge(command)).toBe("ask");
    },
  );

  it.each(["ls -R src", "ls -lL README.md", "du -sh .", "fd x", "rg --files"])("is not %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a path with a number that only the shell knows", () => {
  it.each([
    "cat x$((6*7))",
    "head x$((42))",
    "cat < x$((6*7))",
    "cat x$" + "{#PATH}",
    "cat x$RANDOM x$UID",
    "cat x$#",
    "cat x$?",
    "ls out$((6*7))",
    "ls out$$",
    "grep -rn x out$((42))",
    "cd out$((42)) && ls",
    "find out$((42)) -type f",
    "n=$((6*7)); cat x$n",
    "n=0; ((n=42)); cat x$n",
    "n=x; n+=$((42)); cat $n",
    "for ((i=0;i<50;i++)); do cat x$i; done",
    "for i in $((6*7)); do cat x$i; done",
    "cat $" + "{n:-x$((6*7))}",
    "echo out$((42))/*",
    "git diff --stat x$((42))",
    "jq . x$((42))",
    "sed -n 1p x$((42))",
    "awk '{print}' x$((42))",
  ])("is asked about: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it.each([
    "head -n $((2+3)) README.md",
    "sed -n $((1+1)),5p README.md",
    "echo $((6*7)) $? $" + "{#HOME}",
    "for i in 1 2; do cat x$i; done",
    "n=$((1+1)); head -n $n README.md",
  ])("but no other word is: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});
