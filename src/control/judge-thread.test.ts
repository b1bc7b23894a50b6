import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PolicyRequest } from "../policy/request.ts";
import { EMPTY_POLICY } from "../policy/rule.ts";
import type { ThreadVerdict } from "./judge-queue.ts";
import { type JudgeThread, openJudgeThread } from "./judge-thread.ts";

let root: string;
let thread: JudgeThread;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-judge-"));
});
afterEach(async () => {
  await thread.close();
  rmSync(root, { recursive: true, force: true });
});

const bash = (command: string): PolicyRequest => ({
  toolName: "Bash",
  toolInput: { command },
  mode: "default",
  cwd: "/",
});

/** A thread that answers with its own number, hangs on `hang`, dies on `die`, and grows on `grow`. */
function openScriptedThread(
  limits: Partial<Record<"answerMs" | "startMs" | "idleMs", number>> = {},
): JudgeThread {
  const file = join(root, "odd.mjs");
  writeFileSync(
    file,
    `import { parentPort, threadId } from "node:worker_threads";
    parentPort.on("message", ({ id, request }) => {
      const { command } = request.toolInput;
      if (command === "hang") for (;;);
      if (command === "die") throw new Error("died");
      if (command === "grow") for (const all = []; ; ) all.push({ all: [...all] });
      parentPort.postMessage({ id, verdict: { verdict: "allow", step: "safe", rule: String(threadId), reason: command } });
    });
    parentPort.postMessage("ready");`,
  );
  return openJudgeThread({ home: root, file: pathToFileURL(file), limits: { startMs: 60_000, ...limits } });
}

const judge = (command: string) => thread.judge(EMPTY_POLICY, bash(command));
const reasonOf = (verdict: ThreadVerdict) => (typeof verdict === "string" ? verdict : verdict.reason);
const threadOf = (verdict: ThreadVerdict) => (typeof verdict === "string" ? verdict : verdict.rule);

describe("the judging thread", () => {
  it("judges like the policy", async () => {
    thread = openJudgeThread({ home: root, limits: { answerMs: 20_000, startMs: 60_000 } });
    expect(await judge("rm -rf /")).toMatchObject({ verdict: "deny", rule: "builtin/remove-root" });
    expect(await judge("curl x")).toMatchObject({ verdict: "ask" });
  });

  it.each(["hang", "die", "grow"])(
    "gives no verdict on a request that makes it %s, and judges the others in a new thread",
    async (command) => {
      thread = openScriptedThread({ answerMs: command === "hang" ? 500 : 30_000 });
      const first = await judge("first");
      const answers = await Promise.all(["a", command, "b", "c"].map(judge));
      expect(answers.map(reasonOf)).toEqual(["a", "late", "b", "c"]);
      const [before, , after, last] = answers.map(threadOf);
      expect([before, last]).toEqual([threadOf(first), after]);
      expect(after).not.toBe(before);
    },
  );

  it("gives up on a request that waits too long behind others", async () => {
    thread = openScriptedThread({ answerMs: 2_000, startMs: 500 });
    await expect.poll(() => judge("first")).not.toBe("unstarted");
    const answers = await Promise.all([judge("hang"), judge("behind")]);
    expect(answers).toEqual(["late", "unstarted"]);
  });

  it("ends when idle, and starts again", async () => {
    thread = openScriptedThread({ idleMs: 10 });
    const first = await judge("first");
    await expect
      .poll(async () => threadOf(await judge("again")), { interval: 200 })
      .not.toBe(threadOf(first));
  });

  it("reports that it cannot start or is closed", async () => {
    thread = openJudgeThread({ home: root, file: pathToFileURL(join(root, "none.mjs")) });
    expect(await Promise.all([judge("a"), judge("b")])).toEqual(["unstarted", "unstarted"]);
    await thread.close();
    expect(await judge("c")).toBe("unstarted");
  });

  it("gives no verdict on a request that cannot be sent to it", async () => {
    thread = openScriptedThread();
    const answers = await Promise.all([
      thread.judge(EMPTY_POLICY, { ...bash("x"), toolInput: { command: () => 1 } }),
      judge("a"),
    ]);
    expect(answers.map(reasonOf)).toEqual(["unstarted", "a"]);
  });
});
