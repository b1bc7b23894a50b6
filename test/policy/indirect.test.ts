import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decide } from "../../src/policy/decide.ts";
import { openScratchWorld } from "./scratch-world.ts";

const scratch = openScratchWorld();
const DAEMON = 4_242;

beforeAll(() => {
  for (const folder of ["sub/deep", ".cfg"]) mkdirSync(join(scratch.ws, folder), { recursive: true });
  for (const file of ["sub/.env", "sub/.envrc", "sub/a.txt", "sub/deep/.env", ".cfg/server.key"])
    writeFileSync(join(scratch.ws, file), "x\n");
});

afterAll(() => scratch.close());

function judge(command: string): string {
  const own = { dir: join(scratch.world.home, ".hookline"), port: 4_711, pid: DAEMON };
  const request = { toolName: "Bash", toolInput: { command }, mode: "bypassPermissions", cwd: scratch.ws };
  return decide({ rules: [], protect: [], own }, request, scratch.world).verdict;
}

describe("a glob that matches hidden names too", () => {
  it.each([
    "shopt -s dotglob; cat sub/*",
    "cd sub; shopt -s dotglob; cat *",
    "setopt globdots; cat sub/*",
    "setopt GLOB_DOTS; cp sub/* /tmp",
    "cat sub/*(D)",
    "cat sub/*(.D)",
    "cat sub/*/*(D)",
    "GLOBIGNORE=x; cat sub/*",
    "bash -O dotglob -c 'cat sub/*'",
    "shopt -s dotglob; for f in sub/*; do cat $f; done",
    "shopt -s dotglob; cat */*.key",
    "shopt -s dotglob; head sub/??nv",
    "shopt -s dotglob; tar czf x.tgz sub/*",
    "cat sub/@(a|.env)",
    "cat sub/?(.)env",
    "echo x | tee sub/@(.envrc)",
  ])("is asked about where one is protected: %s", (command) => {
    expect(judge(command)).toBe("ask");
  });

  it("may not change a secret", () => {
    expect(judge("shopt -s dotglob; sed -i s/a/b/ sub/*")).toBe("deny");
  });

  it.each([
    "cat sub/*",
    "cat sub/@(a.txt|b.txt)",
    "shopt -s dotglob; cat src/*",
    "shopt -s dotglob; mv sub/* new/",
    "shopt -s dotglob nullglob; for f in src/*.ts; do wc -l $f; done",
    "ls -d !(node_modules)",
  ])("is allowed where none is protected, or names do not matter: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("the daemon's pid", () => {
  it.each([
    `kill ${DAEMON}`,
    `kill -9 ${DAEMON}`,
    `kill -s TERM -- ${DAEMON}`,
    `kill -TERM -${DAEMON}`,
    `sudo kill 1234 ${DAEMON}`,
    `p=${DAEMON}; kill $p`,
    `echo ${DAEMON} | xargs kill`,
    `gdb -p ${DAEMON}`,
    `gdb --pid=${DAEMON}`,
    `strace -p${DAEMON}`,
    `nsenter -t ${DAEMON} -m sh`,
    `prlimit --pid ${DAEMON} --nofile=1`,
    `cat /proc/${DAEMON}/environ`,
    `echo 1 > /proc/${DAEMON}/oom_score_adj`,
    `ls /proc/${DAEMON}/fd`,
    `bash -c 'kill ${DAEMON}'`,
    `node inspect -p ${DAEMON}`,
  ])("cannot be targeted: %s", (command) => {
    expect(judge(command)).toBe("deny");
  });

  it.each([
    "kill 4243",
    "kill -0 4242",
    "ps -p 4242",
    "cat /proc/4242/status",
    "head -n 4242 a.txt",
    "echo 4242",
    "gdb -p 42420",
  ])("does not affect other processes and inspection: %s", (command) => {
    expect(judge(command)).toBe("allow");
  });
});

describe("a script that feeds its own functions and descriptors more texts than are read", () => {
  const decoys = (start: string): string =>
    Array.from({ length: 40 }, (_, at) => `${start}'echo ${at}'`).join("; ");

  it.each([
    `f() { sh; }; ${decoys("f <<< ")}; f <<< 'rm -rf ~'`,
    `${decoys("exec 0<<< ")}; exec 0<<< 'rm -rf ~'; sh`,
    `f() { sh; }; ${Array.from({ length: 40 }, (_, at) => `echo 'echo ${at}' | f`).join("; ")}; echo 'rm -rf ~' | f`,
  ])("is never allowed: %s", (command) => {
    expect(judge(command)).not.toBe("allow");
  });
});
