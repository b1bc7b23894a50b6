// The guard's hook as Claude Code runs it, against a real daemon: many at once, and a daemon that does not answer.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claude } from "../../src/agents/claude/claude.ts";
import { guardCommand } from "../../src/hook/guard-command.ts";
import { runCommand } from "../hook/run-command.ts";
import { type DaemonChild, type Hookline, openHookline } from "../support/hookline.ts";

const command = guardCommand(claude, { failClosed: false });
/** Generous, because a busy machine must not fail this test: `npm run bench -- --only ask` measures latency. */
const patient = command.replace("--max-time 1.5", "--max-time 30");

let hookline: Hookline;
let daemon: DaemonChild;
beforeEach(async () => {
  hookline = openHookline({ config: { guard: { on: true } } });
  mkdirSync(join(hookline.root, "shop"));
  writeFileSync(join(hookline.home.dir, "launch"), "#!/bin/sh\n");
  daemon = await hookline.start();
  await hookline.settle();
});
afterEach(() => hookline.close());

const call = (session: string, toolName: string, toolInput: object) => ({
  session_id: session,
  hook_event_name: "PreToolUse",
  cwd: join(hookline.root, "shop"),
  permission_mode: "bypassPermissions",
  tool_name: toolName,
  tool_input: toolInput,
  tool_use_id: `toolu_${session}`,
});
const run = (hook: string, session: string, toolName: string, toolInput: object) =>
  runCommand(hook, {
    env: { ...hookline.env, CLAUDE_CODE_SESSION_ID: session },
    input: `${JSON.stringify(call(session, toolName, toolInput))}\n`,
  });

/** The decision and its rule, or `nothing`. */
function saidBy({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>): string {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  if (stdout === "") return "nothing";
  const { systemMessage, hookSpecificOutput } = JSON.parse(stdout);
  if (hookSpecificOutput === undefined) return systemMessage;
  const { permissionDecision, permissionDecisionReason } = hookSpecificOutput;
  return `${permissionDecision} ${/\[(.*)\]/.exec(permissionDecisionReason)?.[1]}`;
}

it("answers ten sessions at once, one of them with a megabyte", async () => {
  const asked: readonly (readonly [string, object, string])[] = [
    ["Bash", { command: "ls -la" }, "nothing"],
    ["Bash", { command: `ls ${"a/".repeat(500_000)}; rm -rf ~` }, "deny builtin/too-long"],
    ["Bash", { command: "rm -rf ~" }, "deny builtin/remove-root"],
    ["Bash", { command: `ls ${"a/b ".repeat(1_600)}; rm -rf ~` }, "deny builtin/too-long"],
    ["Bash", { command: `${"ls; ".repeat(150)} rm -rf ~` }, "deny builtin/remove-root"],
    ["Read", { file_path: join(hookline.root, "shop/a.ts") }, "nothing"],
    [
      "Write",
      { file_path: join(hookline.root, "shop/a.ts"), content: "const a = 1;\n".repeat(80_000) },
      "nothing",
    ],
    ["Write", { file_path: "a/".repeat(500_000), content: "x" }, "deny builtin/too-long"],
    ["mcp__x__run", { steps: Array.from({ length: 30_000 }, () => "ls") }, "deny builtin/too-long"],
    ["Bash", { command: "shutdown now" }, "deny builtin/power"],
  ];
  const answers = await Promise.all(
    asked.map(([toolName, input], n) => run(patient, `s-${n}`, toolName, input)),
  );
  expect(answers.map(saidBy)).toEqual(asked.map(([, , expected]) => expected));
  expect((await hookline.settle()).steering?.unchecked).toEqual({ count: 0, lastAtIso: null });
});

it("denies a call that exceeds the daemon's size limit", async () => {
  const content = "x".repeat(17 * 1024 * 1024);
  expect(saidBy(await run(patient, "s-1", "Write", { file_path: "a", content }))).toBe(
    "deny builtin/too-long",
  );
});

it("shows everywhere that a call ran unchecked after a timeout", async () => {
  process.kill(daemon.pid, "SIGSTOP");
  const asked = run(command, "s-late", "Bash", { command: "rm -rf ~" });
  expect(saidBy(await asked)).toContain("the guard is off");
  process.kill(daemon.pid, "SIGCONT");
  const verdicts = () =>
    hookline.ask<{ events: Record<string, unknown>[] }>("GET", "/api/events?session=s-late&limit=100");
  await expect
    .poll(async () => (await verdicts()).events.map(({ phase }) => phase ?? null).sort())
    .toEqual([null, null, "unchecked"]);
  const { events } = await verdicts();
  expect(events).toContainEqual(
    expect.objectContaining({
      eventType: "control.verdict",
      phase: "unchecked",
      origin: "hook",
      told: expect.objectContaining({
        verdict: "unanswered",
        reason: expect.stringContaining("not checked"),
      }),
    }),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      origin: "watch",
      toolUseId: "toolu_s-late",
      told: expect.objectContaining({
        verdict: "unanswered",
        toolName: "Bash",
        reason: expect.stringContaining("deny (builtin/remove-root)"),
      }),
    }),
  );
  const status = await hookline.run("status");
  expect(status.stdout).toMatch(
    /1 tool call ran unchecked in the last 24 h, because the guard did not answer/,
  );
  const { checks } = JSON.parse((await hookline.run("doctor", "--json")).stdout) as {
    checks: { code: string; status: string; found: string }[];
  };
  expect(checks).toContainEqual(
    expect.objectContaining({
      code: "guard_answers",
      status: "warn",
      found: expect.stringContaining("1 tool call ran unchecked"),
    }),
  );
  expect((await hookline.run("tail")).stdout).toMatch(/control\.verdict unchecked +unanswered .*not checked/);
});

it("records calls that ran unchecked without a daemon, and reports them when one starts", async () => {
  await daemon.kill("SIGTERM");
  expect(saidBy(await run(command, "s-down", "Bash", { command: "ls" }))).toContain("the guard is off");
  expect(saidBy(await run(command, "s-down", "Bash", { command: "ls" }))).toBe("nothing");
  await hookline.start();
  expect((await hookline.settle()).steering?.unchecked).toMatchObject({ count: 2 });
});
