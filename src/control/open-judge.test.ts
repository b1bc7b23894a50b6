import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decide } from "../policy/decide.ts";
import type { PolicyRequest } from "../policy/request.ts";
import { EMPTY_POLICY, type Policy } from "../policy/rule.ts";
import { TooLongToJudge } from "../policy/work.ts";
import { localWorld } from "./local-world.ts";
import { type Judge, openJudge } from "./open-judge.ts";
import { realWorld } from "./real-world.ts";

let root: string;
let judge: Judge | null;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-judge-")));
  judge = null;
});
afterEach(async () => {
  await judge?.close();
  rmSync(root, { recursive: true, force: true });
});

const bash = (command: string, mode = "default"): PolicyRequest => ({
  toolName: "Bash",
  toolInput: { command },
  mode,
  cwd: root,
});
/** A thread that cannot start, so every answer was judged without it. */
const noThread = () => ({ file: pathToFileURL(join(root, "none.mjs")) });

describe("judging in the daemon", () => {
  it("needs no thread for a quick request, or one that is far too long", async () => {
    judge = openJudge({ HOME: root }, noThread());
    expect(await judge.judge(EMPTY_POLICY, bash("ls"))).toMatchObject({ verdict: "allow" });
    expect(await judge.judge(EMPTY_POLICY, bash("rm -rf ~"))).toMatchObject({ verdict: "deny" });
    const huge = bash(`rm -rf ${"a/".repeat(500_000)}`, "bypassPermissions");
    expect(await judge.judge(EMPTY_POLICY, huge)).toMatchObject({ verdict: "ask", rule: "builtin/too-long" });
  });

  it("still judges if the thread cannot start", async () => {
    judge = openJudge({ HOME: root }, noThread());
    const removal = `ls ${"a/b ".repeat(300)}; rm -rf ~`;
    expect(await judge.judge(EMPTY_POLICY, bash(removal))).toMatchObject({ rule: "builtin/remove-root" });
  });

  it("asks if the thread does not answer in time", async () => {
    writeFileSync(
      join(root, "hangs.mjs"),
      `import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => { for (;;); });
      parentPort.postMessage("ready");`,
    );
    const file = pathToFileURL(join(root, "hangs.mjs"));
    judge = openJudge({ HOME: root }, { file, limits: { answerMs: 50, startMs: 60_000 } });
    for (const mode of ["default", "bypassPermissions", "acceptEdits", "plan", "auto"])
      expect(await judge.judge(EMPTY_POLICY, bash(`ls ${"a/b ".repeat(700)}`, mode)), mode).toMatchObject({
        verdict: "ask",
        step: "protected",
        rule: "builtin/too-long",
      });
    expect(await judge.judge(EMPTY_POLICY, bash(`ls ${"a/b ".repeat(700)}`, "dontAsk"))).toMatchObject({
      verdict: "deny",
    });
  });

  it("gives the same verdict in the thread as without it", async () => {
    judge = openJudge({ HOME: root }, { limits: { answerMs: 20_000, startMs: 60_000 } });
    const commands = [
      `ls ${"a/b ".repeat(300)}`,
      `cat ${"a/b ".repeat(300)} .env`,
      `${"ls; ".repeat(100)} rm -rf ~`,
      `cat > x.txt <<'E'\n${"Some text (with brackets) here.\n".repeat(400)}E`,
    ];
    for (const command of commands)
      for (const mode of ["default", "bypassPermissions"])
        expect(await judge.judge(EMPTY_POLICY, bash(command, mode))).toEqual(
          decide(EMPTY_POLICY, bash(command, mode), realWorld({ HOME: root })),
        );
  });

  it("scans content of any length for secrets, and does not call it too long", async () => {
    judge = openJudge({ HOME: root }, { limits: { answerMs: 20_000, startMs: 60_000 } });
    const write = (content: string): PolicyRequest => ({
      toolName: "Write",
      toolInput: { file_path: join(root, "a.txt"), content },
      mode: "acceptEdits",
      cwd: root,
    });
    const plain = "const total = items.length;\n".repeat(100_000);
    expect(await judge.judge(EMPTY_POLICY, write(plain))).toMatchObject({ rule: "builtin/accept-edits" });
    const key = `${plain}AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzzq81KEY7\n`;
    expect(await judge.judge(EMPTY_POLICY, write(key))).toMatchObject({ rule: "builtin/secret-in-input" });
  });

  it("still denies a tool that a rule denies for any input", async () => {
    judge = openJudge({ HOME: root }, noThread());
    const rule = {
      id: "no",
      source: "user",
      match: "Bash",
      ["then" as const]: "deny",
      reason: null,
    } as const;
    const anywhere = { project: null, agentType: null, modes: null, set: null, replace: [] };
    const policy: Policy = { rules: [{ ...rule, ...anywhere }], protect: [] };
    expect(await judge.judge(policy, bash("x".repeat(40_000)))).toMatchObject({
      verdict: "deny",
      rule: "no",
    });
    const narrow: Policy = { rules: [{ ...rule, ...anywhere, match: "Bash(rm *)" }], protect: [] };
    expect(await judge.judge(narrow, bash("x".repeat(40_000)))).toMatchObject({ rule: "builtin/too-long" });
  });
});

describe("the world of the daemon's own thread", () => {
  it("accesses no file system that may not respond", () => {
    const mounts = join(root, "mountinfo");
    writeFileSync(
      mounts,
      `1 0 0:1 / / rw - ext4 /dev/sda rw\n2 1 0:2 / ${root}/far rw - nfs4 host:/x rw\n3 1 0:3 / ${root}/a\\040b rw shared:1 - fuse.sshfs x rw\n`,
    );
    const { realPath } = localWorld({ HOME: root }, mounts);
    expect(realPath(join(root, "near/x"))).toBe(join(root, "near/x"));
    expect(realPath(join(root, "far-off"))).toBe(join(root, "far-off"));
    expect(() => realPath(join(root, "far/x"))).toThrow(TooLongToJudge);
    expect(() => realPath(join(root, "a b"))).toThrow(TooLongToJudge);
  });

  it("treats every file system as local if the mounts are unknown", () => {
    const { realPath } = localWorld({ HOME: root }, join(root, "none"));
    expect(realPath(join(root, "x"))).toBe(join(root, "x"));
  });
});
