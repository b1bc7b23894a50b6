import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookReply } from "../../agents/answer-format.ts";
import { claude } from "../../agents/claude/claude.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { EMPTY_POLICY, type Policy, type ToolRule } from "../../policy/rule.ts";
import { type Judge, openJudge } from "../open-judge.ts";
import { realWorld } from "../real-world.ts";
import { createGuard, type GuardOptions } from "./guard.ts";

let root: string;
let project: string;
let recorded: HooklineEvent[];
let errors: string[];
let judge: Judge;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookline-guard-")));
  project = join(root, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  recorded = [];
  errors = [];
  judge = openJudge({ HOME: root });
});
afterEach(async () => {
  await judge.close();
  rmSync(root, { recursive: true, force: true });
});

const guardWith = (rules: readonly ToolRule[] = [], options: Partial<GuardOptions> = {}) => {
  const policy: Policy = { ...EMPTY_POLICY, rules };
  const guard = createGuard({
    policy: () => policy,
    judge: judge.judge,
    world: realWorld({ HOME: root }),
    isDriven: () => false,
    guard: () => ({ on: true, failClosed: false }),
    projectOf: () => project,
    mayRecord: () => true,
    record: (event) => void recorded.push(event),
    onError: (message) => void errors.push(message),
    nowMs: () => 1_000_000,
    ...options,
  });
  const { read, write, events } = claude.answers;
  const writeReply = (event: string, reply: HookReply | null) => reply && write(event, reply);
  return {
    tool: async (payload: unknown, signal?: AbortSignal) =>
      writeReply(events.call, await guard.answerCall(read(payload), signal)),
    permission: async (payload: unknown) =>
      writeReply(events.permission, await guard.answerPermission(read(payload))),
    explain: (payload: unknown) => guard.explain(read(payload)),
  };
};

function rule(id: string, match: string, then: ToolRule["then"], fields: Partial<ToolRule> = {}): ToolRule {
  const anywhere = { project: null, agentType: null, modes: null, set: null, replace: [] };
  return {
    id,
    source: "user",
    match,
    ["then" as const]: then,
    reason: `because of ${id}`,
    ...anywhere,
    ...fields,
  };
}

const call = (toolName: string, toolInput: object, mode = "default", event = "PreToolUse") => ({
  session_id: "s-1",
  hook_event_name: event,
  cwd: project,
  permission_mode: mode,
  tool_name: toolName,
  tool_input: toolInput,
  tool_use_id: event === "PreToolUse" ? "toolu_1" : undefined,
});
const bash = (command: string, mode?: string, event?: string) => call("Bash", { command }, mode, event);
const hookOutput = (output: object | null) =>
  output === null ? null : (output as { hookSpecificOutput: object }).hookSpecificOutput;
const verdicts = () => recorded.map(({ told }) => told);

describe("the guard before a call", () => {
  it("gives no reply if the policy has no objection, in any mode: it never allows", async () => {
    const guard = guardWith([rule("mine", "Bash(npm *)", "allow")]);
    for (const mode of ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions", "new"]) {
      expect(await guard.tool(bash("ls -la", mode))).toBeNull();
      expect(await guard.tool(call("Read", { file_path: join(project, "a.ts") }, mode))).toBeNull();
    }
    expect(await guard.tool(bash("npm test"))).toBeNull();
    expect(await guard.tool(bash("curl https://example.com"))).toBeNull();
    const question = { questions: [{ question: "Which?", header: "x", options: [] }] };
    expect(await guard.tool(call("AskUserQuestion", question))).toBeNull();
    expect([recorded, errors]).toEqual([[], []]);
  });

  it("denies with the reason and the rule in every mode, and records it", async () => {
    const guard = guardWith([rule("no-push", "Bash(git push*)", "deny")]);
    for (const mode of ["default", "acceptEdits", "auto", "bypassPermissions"])
      expect(hookOutput(await guard.tool(bash("git push origin main", mode))), mode).toEqual({
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Hookline: because of no-push [no-push]",
      });
    expect(hookOutput(await guard.tool(bash("rm -rf /", "bypassPermissions")))).toMatchObject({
      permissionDecision: "deny",
    });
    expect(recorded[0]).toMatchObject({
      eventType: "control.verdict",
      sessionId: "s-1",
      projectPath: project,
      toolUseId: "toolu_1",
    });
    expect(verdicts()[0]).toEqual({
      hookEvent: "PreToolUse",
      toolName: "Bash",
      verdict: "deny",
      rule: "no-push",
      reason: "because of no-push",
    });
  });

  it("asks for a rule or a protected file", async () => {
    const guard = guardWith([rule("deploys", "Bash(npm run deploy*)", "ask")]);
    expect(hookOutput(await guard.tool(bash("npm run deploy", "acceptEdits")))).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "Hookline: because of deploys [deploys]",
    });
    const mcp = { file_path: join(project, ".mcp.json"), content: "{}" };
    expect(hookOutput(await guard.tool(call("Write", mcp)))).toMatchObject({ permissionDecision: "ask" });
    expect(verdicts()).toMatchObject([{ verdict: "ask", rule: "deploys" }, { verdict: "ask" }]);
  });

  it("changes the input without a decision, so that the agent's own mode judges it", async () => {
    const guard = guardWith([
      rule("dry", "Bash(npm publish*)", "rewrite", {
        replace: [{ field: "command", find: "npm publish", with: "npm publish --dry-run" }],
      }),
    ]);
    const input = { command: "npm publish", description: "Publish" };
    expect(hookOutput(await guard.tool(call("Bash", input)))).toEqual({
      hookEventName: "PreToolUse",
      updatedInput: { command: "npm publish --dry-run", description: "Publish" },
    });
    expect(verdicts()).toMatchObject([{ verdict: "rewrite", rule: "dry", reason: "because of dry" }]);
    for (const mode of ["dontAsk", "bypassPermissions", "auto"])
      expect(hookOutput(await guard.tool(call("Bash", input, mode)))).not.toHaveProperty(
        "permissionDecision",
      );
  });

  it("denies instead if Claude Code would drop the question", async () => {
    const guard = guardWith([rule("all", "Bash|Write", "ask")]);
    symlinkSync(join(project, ".git"), join(project, "link"));
    const decisionOf = async (payload: object) =>
      (hookOutput(await guard.tool(payload)) as { permissionDecision: string }).permissionDecision;
    const write = (path: string, mode: string) =>
      decisionOf(call("Write", { file_path: join(project, path), content: "see .git" }, mode));
    for (const mode of ["bypassPermissions", "auto", "plan"]) {
      for (const path of [".mcp.json", ".git/config", ".bashrc", ".vscode/x.json", "link/config"])
        expect(await write(path, mode), `${mode} ${path}`).toBe("deny");
      expect(await decisionOf(bash("echo x >.npmrc", mode))).toBe("deny");
      expect(await decisionOf(bash("touch link/x", mode))).toBe("deny");
      expect(await decisionOf(bash("npm run ../build ./x a.b", mode)), mode).toBe("ask");
      // More paths than can be checked while the agent waits.
      const many = Array.from({ length: 600 }, (_, n) => `a${n}`).join(" ");
      expect(await decisionOf(bash(`npm run ${many}`, mode)), mode).toBe("deny");
    }
    for (const path of ["src/a.ts", ".github/workflows/ci.yml"])
      expect(await write(path, "bypassPermissions")).toBe("ask");
    for (const mode of ["default", "acceptEdits"]) expect(await write(".mcp.json", mode)).toBe("ask");
    const { permissionDecisionReason } = hookOutput(
      await guard.tool(bash("echo x >.npmrc", "bypassPermissions")),
    ) as { permissionDecisionReason: string };
    expect(permissionDecisionReason).toMatch(/\.npmrc.*bypassPermissions.*shift\+tab/);
  });

  it("denies a call that is too long to judge, in every mode, with the reason", async () => {
    const long = `ls ${"a/".repeat(20_000)}; rm -rf ~`;
    const slow = `ls ${"a/b ".repeat(1_600)}; rm -rf ~`;
    for (const command of [long, slow])
      for (const mode of ["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "new"])
        expect(hookOutput(await guardWith().tool(bash(command, mode))), mode).toEqual({
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringMatching(/Too long to check.*\[builtin\/too-long\]$/),
        });
    expect(verdicts()).toContainEqual(expect.objectContaining({ verdict: "deny", rule: "builtin/too-long" }));
    expect(
      hookOutput(await guardWith().permission(bash(long, "default", "PermissionRequest"))),
    ).toMatchObject({
      decision: { behavior: "deny" },
    });
  });

  it("records that the hook was gone before the reply", async () => {
    const aborted = AbortSignal.abort();
    expect(await guardWith().tool(bash("rm -rf /"), aborted)).toBeNull();
    expect(await guardWith().tool(bash("ls"), aborted)).toBeNull();
    expect(verdicts()).toMatchObject([
      {
        verdict: "unanswered",
        toolName: "Bash",
        reason: expect.stringContaining("deny (builtin/remove-root)"),
      },
      { verdict: "unanswered", reason: expect.stringContaining("no objection") },
    ]);
  });

  it("leaves driven sessions to their own gate", async () => {
    const guard = guardWith([rule("no", "*", "deny")], { isDriven: (id) => id === "s-1" });
    expect(await guard.tool(bash("ls"))).toBeNull();
    expect(await guard.permission(bash("ls", "default", "PermissionRequest"))).toBeNull();
  });

  it("judges where nothing may be recorded, and records nothing", async () => {
    const guard = guardWith([rule("no", "Bash", "deny")], { mayRecord: () => false });
    expect(hookOutput(await guard.tool(bash("ls")))).toMatchObject({ permissionDecision: "deny" });
    expect(recorded).toEqual([]);
  });

  it("allows a call it cannot judge and reports that, or denies it if fail-closed", async () => {
    const broken = {
      policy: () => {
        throw new Error("broken");
      },
    };
    expect(await guardWith([], broken).tool(bash("ls"))).toBeNull();
    expect(errors).toEqual(["the guard could not judge a tool call"]);
    const closed = { guard: () => ({ on: true, failClosed: true }) };
    expect(hookOutput(await guardWith([], { ...broken, ...closed }).tool(bash("ls")))).toMatchObject({
      permissionDecision: "deny",
    });
    for (const payload of [null, "x", {}, { hook_event_name: "PreToolUse" }]) {
      expect(await guardWith().tool(payload)).toBeNull();
      expect(hookOutput(await guardWith([], closed).tool(payload))).toMatchObject({
        permissionDecision: "deny",
      });
    }
  });
});

describe("the guard at a permission request", () => {
  const permissionRequest = (command: string) => bash(command, "default", "PermissionRequest");

  it("allows by the user's rule, with a changed input", async () => {
    const guard = guardWith([
      rule("tests", "Bash(npm test*)", "allow"),
      rule("quiet", "Bash(npm test*)", "rewrite", {
        replace: [{ field: "command", find: "$", with: " --silent" }],
      }),
    ]);
    expect(hookOutput(await guard.permission(permissionRequest("npm test")))).toEqual({
      hookEventName: "PermissionRequest",
      decision: { behavior: "allow", updatedInput: { command: "npm test --silent" } },
    });
    expect(verdicts()).toMatchObject([{ hookEvent: "PermissionRequest", verdict: "allow", rule: "tests" }]);
  });

  it("denies what a rule denies, and leaves the rest to the person", async () => {
    const guard = guardWith([rule("no", "Bash(git push*)", "deny"), rule("look", "Bash(make *)", "ask")]);
    expect(hookOutput(await guard.permission(permissionRequest("git push")))).toEqual({
      hookEventName: "PermissionRequest",
      decision: { behavior: "deny", message: "Hookline: because of no [no]" },
    });
    for (const command of ["make all", "touch x", "ls"])
      expect(await guard.permission(permissionRequest(command)), command).toBeNull();
    expect(await guard.explain(permissionRequest("make all"))).toMatchObject({
      rule: "look",
      reason: "because of look",
    });
    expect(await guard.explain(permissionRequest("touch x"))).toBeNull();
    expect(await guard.explain({})).toBeNull();
  });

  it("does nothing while the guard is off", async () => {
    const guard = guardWith([rule("no", "*", "deny")], {
      guard: () => ({ on: false, failClosed: false }),
    });
    expect(await guard.permission(permissionRequest("ls"))).toBeNull();
  });
});
