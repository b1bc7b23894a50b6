import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { readScript } from "../../src/policy/shell/read-script.ts";
import { TEST_TIMEOUT_MS } from "../support/patience.ts";
import { GENERATED_COMMAND } from "./generated-commands.ts";
import { HOSTILE_COMMANDS } from "./hostile-commands.ts";
import { missingForSandbox, readTrace, runInSandbox } from "./sandbox.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
afterAll(() => scratch.close());

function isReadOnly(command: string, mode = "default"): boolean {
  const request = { toolName: "Bash", toolInput: { command }, mode, cwd: scratch.ws };
  const { verdict, rule } = decide(EMPTY_POLICY, request, scratch.world);
  return verdict === "allow" && rule === "builtin/read-only-command";
}

const hostile = Object.values(HOSTILE_COMMANDS).flat();

describe("commands that look as if they only read", () => {
  it("are more than a thousand", () => {
    expect(new Set(hostile).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThan(1_000);
  });

  it.each(["default", "acceptEdits", "plan", "auto", "dontAsk"])("are never allowed in %s", (mode) => {
    expect(hostile.filter((command) => isReadOnly(scratch.fill(command), mode))).toEqual([]);
  });
});

const GENERATED = 16_000;
const MAX_RUN = 360;
const SECRET = "sekret-7d1f0c";
const OUTSIDE = "elsewhere-52ab9e";

/** Programs that another program consists of. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  egrep: ["grep", "sh"],
  fgrep: ["grep", "sh"],
  tar: ["gzip", "bzip2", "xz", "zstd"],
  which: ["which.debianutils", "sh"],
  groups: ["id"],
  yq: ["jq"],
  shasum: ["perl"],
  git: ["git"],
  awk: ["mawk", "gawk", "original-awk"],
};

/** Names of the programs that a command starts by its own words. */
function namedIn(command: string): readonly string[] {
  const { commands } = readScript(command, { home: scratch.world.home, cwd: scratch.ws });
  const names = commands.flatMap((each) => [each.name, ...each.wrappers]);
  return names.flatMap((name) => [name, ...(HELPERS[name] ?? [])]);
}

/** A sample with equally many commands per program, up to a number. */
function fewOfEach(commands: readonly string[]): readonly string[] {
  const byName = new Map<string, string[]>();
  for (const command of commands) {
    const name = command.replace(/^\w+=\S* /, "").split(/[\s;]/)[0]!;
    byName.set(name, [...(byName.get(name) ?? []), command]);
  }
  const rounds = Math.max(0, ...[...byName.values()].map((each) => each.length));
  const turns = Array.from({ length: rounds }, (_, at) =>
    [...byName.values()].flatMap((each) => each[at] ?? []),
  );
  return turns.flat().slice(0, MAX_RUN);
}

const TRACE = `7 execve("/usr/bin/timeout", ["timeout", "-s"], 0x1 /* 5 vars */) = 0
8 execve("/usr/bin/bash", ["bash", "x.sh"], 0x1 /* 5 vars */) = 0
8 openat(AT_FDCWD, "README.md", O_RDONLY) = 3
8 openat(AT_FDCWD, "/dev/null", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3
8 openat(AT_FDCWD, "MARK", O_WRONLY|O_CREAT|O_TRUNC, 0666) = -1 EROFS (Read-only file system)
9 execve("/usr/bin/touch", ["touch", "MARK"], 0x1 /* 5 vars */) = 0
9 unlink("README.md") = -1 EROFS (Read-only file system)
9 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = -1 ENETUNREACH
9 connect(3, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT
7 kill(8, SIGKILL) = 0
9 +++ exited with 1 +++`;

describe("commands that are judged to only read", () => {
  it("are traced for each start, write and connection attempt", () => {
    const { started, writes, connects } = readTrace(TRACE);
    expect(started).toEqual(["touch"]);
    expect(writes.map((line) => line.split("(")[0])).toEqual(["openat", "unlink"]);
    expect(connects).toHaveLength(1);
  });

  it("start nothing else, write nothing, connect nowhere and show no secret", {
    timeout: 3 * TEST_TIMEOUT_MS,
  }, ({ skip }) => {
    const missing = missingForSandbox();
    skip(missing !== null, missing ?? "");
    const { ws, out, world } = scratch;
    writeFileSync(join(ws, ".env"), `KEY=${SECRET}\n`);
    writeFileSync(join(out, "x"), `${OUTSIDE}\n`);
    writeFileSync(join(ws, "README.md"), "foo 1\nb a\nfoo 2\n");
    mkdirSync(join(ws, "src", "deep"));
    writeFileSync(join(ws, "src", "deep", "b.ts"), "export const foo = 5;\n");
    const git = (...args: readonly string[]): unknown =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
        cwd: ws,
        stdio: "pipe",
      });
    git("init", "-q", "-b", "main");
    git("add", "README.md", "src");
    git("commit", "-q", "-m", "first");

    const generated = fc.sample(GENERATED_COMMAND, GENERATED);
    const readOnly = [...new Set(generated.filter((command) => isReadOnly(command)))];
    expect(readOnly.length).toBeGreaterThan(200);
    const runs = runInSandbox(fewOfEach(readOnly), { home: world.home, base: dirname(out), cwd: ws });
    const wrong = runs.flatMap(({ command, started, writes, connects, output }) => {
      const named = new Set(namedIn(command));
      const others = started.filter((name) => !named.has(name));
      const shown = [SECRET, OUTSIDE].filter((text) => output.includes(text));
      return others.length + writes.length + connects.length + shown.length === 0
        ? []
        : [{ command, others, writes, connects, shown }];
    });
    expect(wrong).toEqual([]);
    expect(runs.filter((run) => run.started.length > 0).length).toBeGreaterThan(100);
  });
});
