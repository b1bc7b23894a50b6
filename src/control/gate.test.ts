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
  const told: Extract<EnvelopeBody, { type: "decision" }>[] = [];
  const rules = createSessionRules();
  const gate = createGate({
    judge,
    rules,
    cwd: "/home/ann/shop",
    workspace: ["/home/ann/shop"],
    projectPath: "/home/ann/shop",
    mode: () => mode,
    onDecision: (decision) => void told.push(decision),
    timeoutMs: 50,
    answers: claude.answers,
  });
  const bash = (command: string) =>
    gate.decide({ toolUseId: "t", tool: "Bash", input: { command }, agentType: null });
  return { gate, rules, told, bash };
}

describe("in every mode", () => {
  it.each(PERMISSION_MODES)("%s: what destroys the machine is denied, and told", async (mode) => {
    const { bash, told } = open(mode);
    expect(await bash("rm -rf /")).toMatchObject({ verdict: "deny" });
    expect(told).toMatchObject([{ verdict: "deny", tool: "Bash", toolUseId: "t" }]);
    expect(told[0]!.reason).not.toBe("");
  });

  it.each(PERMISSION_MODES)("%s: a policy that throws or never answers blocks", async (mode) => {
    const thrown = open(mode, () => {
      throw new Error("no rules");
    });
    expect(await thrown.bash("ls")).toMatchObject({ verdict: "deny", rule: "builtin/gate-failed" });
    const silent = open(mode, () => new Promise(() => undefined));
    expect(await silent.bash("ls")).toMatchObject({ verdict: "deny", rule: "builtin/gate-failed" });
  });
});

describe("what a person allowed for the session", () => {
  it("holds for the very same input alone, or for the tool", async () => {
    const { bash, rules } = open("default");
    expect(await bash("touch a")).toMatchObject({ verdict: "ask" });
    rules.add("Bash", { command: "touch a" }, "exact");
    expect(await bash("touch a")).toMatchObject({ verdict: "allow", rule: "session/exact/Bash" });
    expect(await bash("touch b")).toMatchObject({ verdict: "ask" });
    rules.add("Bash", { command: "touch b" }, "tool");
    expect(await bash("touch c")).toMatchObject({ verdict: "allow", rule: "session/tool/Bash" });
  });

  it("does not open what is denied or protected", async () => {
    const { bash, rules } = open("default");
    rules.add("Bash", {}, "tool");
    expect(await bash("rm -rf ~")).toMatchObject({ verdict: "deny" });
    expect(await bash("echo '{}' > .mcp.json")).toMatchObject({ verdict: "ask" });
  });
});

it("asks nobody in the mode that asks nobody", async () => {
  expect(await open("dontAsk").bash("touch a")).toMatchObject({ verdict: "deny" });
});

it("gives the SDK its verdict, the reason, and an input that a rule changed", async () => {
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
