import { describe, expect, it } from "vitest";
import { claude } from "../agents/claude/claude.ts";
import { decide } from "../policy/decide.ts";
import { PERMISSION_MODES } from "../policy/request.ts";
import { EMPTY_POLICY } from "../policy/rule.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { createGate, type JudgeCall } from "./gate.ts";
import { createSessionRules } from "./session-rules.ts";

const world = { home: "/home/ann", realPath: (path: string) => path };

function open(mode: string, judge: JudgeCall = (request) => decide(EMPTY_POLICY, request, world)) {
  const decisions: Extract<EnvelopeBody, { type: "decision" }>[] = [];
  const rules = createSessionRules();
  const gate = createGate({
    judge,
    rules,
    cwd: "/home/ann/shop",
    workspace: ["/home/ann/shop"],
    projectPath: "/home/ann/shop",
    mode: () => mode,
    onDecision: (decision) => void decisions.push(decision),
    timeoutMs: 50,
    answers: claude.answers,
  });
  const bash = (command: string) =>
    gate.decide({ toolUseId: "t", tool: "Bash", input: { command }, agentType: null });
  return { gate, rules, decisions, bash };
}

describe("in every mode", () => {
  it.each(PERMISSION_MODES)("%s: denies and reports a command that destroys the machine", async (mode) => {
    const { bash, decisions } = open(mode);
    expect(await bash("rm -rf /")).toMatchObject({ verdict: "deny" });
    expect(decisions).toMatchObject([{ verdict: "deny", tool: "Bash", toolUseId: "t" }]);
    expect(decisions[0]!.reason).not.toBe("");
  });

  it.each(PERMISSION_MODES)("%s: blocks if the policy throws or never answers", async (mode) => {
    const thrown = open(mode, () => {
      throw new Error("no rules");
    });
    expect(await thrown.bash("ls")).toMatchObject({ verdict: "deny", rule: "builtin/gate-failed" });
    const pending = open(mode, () => new Promise(() => undefined));
    expect(await pending.bash("ls")).toMatchObject({ verdict: "deny", rule: "builtin/gate-failed" });
  });
});

describe("a session rule", () => {
  it("applies to exactly the same input, or to the tool", async () => {
    const { bash, rules } = open("default");
    expect(await bash("touch a")).toMatchObject({ verdict: "ask" });
    rules.add("Bash", { command: "touch a" }, "exact");
    expect(await bash("touch a")).toMatchObject({ verdict: "allow", rule: "session/exact/Bash" });
    expect(await bash("touch b")).toMatchObject({ verdict: "ask" });
    rules.add("Bash", { command: "touch b" }, "tool");
    expect(await bash("touch c")).toMatchObject({ verdict: "allow", rule: "session/tool/Bash" });
  });

  it("does not allow what is denied or protected", async () => {
    const { bash, rules } = open("default");
    rules.add("Bash", {}, "tool");
    expect(await bash("rm -rf ~")).toMatchObject({ verdict: "deny" });
    expect(await bash("echo '{}' > .mcp.json")).toMatchObject({ verdict: "ask" });
  });
});

it("denies instead of asking in dontAsk mode", async () => {
  expect(await open("dontAsk").bash("touch a")).toMatchObject({ verdict: "deny" });
});

it("returns the verdict, the reason, and an input that a rule changed to the SDK", async () => {
  const updatedInput = { command: "ls -l" };
  const { gate } = open("default", () => ({
    verdict: "allow",
    step: "allow",
    rule: "r",
    reason: "Fine.",
    updatedInput,
  }));
  const base = { session_id: "s", transcript_path: "", cwd: "/home/ann/shop" };
  const call = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "t" };
  const signal = new AbortController().signal;
  const answer = await gate.preToolUse({ ...base, ...call, hook_event_name: "PreToolUse" }, "t", { signal });
  expect(answer).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      permissionDecisionReason: "Fine.",
      updatedInput,
    },
  });
});
