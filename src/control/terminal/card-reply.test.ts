import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claude } from "../../agents/claude/claude.ts";
import { CardAnswer } from "../control-contract.ts";
import { toCardReply } from "./card-reply.ts";
import { readTerminalRequest, toTerminalCard } from "./terminal-request.ts";

const FIXTURES = join(import.meta.dirname, "../../../test/fixtures/claude/2.1.325");

function payloadOf(name: string, input?: object): Record<string, unknown> {
  const payload = JSON.parse(
    readFileSync(join(FIXTURES, `PermissionRequest.${name}.json`), "utf8"),
  ) as object;
  return { ...payload, ...(input && { tool_input: input }) };
}

function cardOf(name: string, input?: object) {
  const request = readTerminalRequest(claude.answers.read(payloadOf(name, input)))!;
  const stamp = { id: "c1", projectPath: null, reason: null, rule: null, sinceMs: 0, untilMs: 1_000 };
  return toTerminalCard(request, stamp);
}

function decisionOf(name: string, answer: CardAnswer, input?: object): unknown {
  const { reply } = toCardReply(cardOf(name, input), answer);
  const output = claude.answers.write("PermissionRequest", { permission: reply });
  const { hookSpecificOutput: out } = output as { hookSpecificOutput: Record<string, unknown> };
  expect(out["hookEventName"]).toBe("PermissionRequest");
  return out["decision"];
}

const DATABASE = "Which database should we use?";
const PARTS = "Which parts are wanted?";
const option = (label: string) => ({ label, description: label });
const twoQuestions = {
  questions: [
    {
      question: DATABASE,
      header: "Database",
      multiSelect: false,
      options: ["SQLite", "Postgres"].map(option),
    },
    { question: PARTS, header: "Parts", multiSelect: true, options: ["Auth", "Mail"].map(option) },
  ],
};

describe("an answer to a permission", () => {
  it("allows, with a changed input if given", () => {
    expect(decisionOf("Bash", { decision: "allow" })).toEqual({ behavior: "allow" });
    const updatedInput = { command: "touch other.txt" };
    expect(decisionOf("Write", { decision: "allow", updatedInput })).toEqual({
      behavior: "allow",
      updatedInput,
    });
  });

  it("denies with a message for the model, and ends the turn if requested", () => {
    expect(decisionOf("Bash", { decision: "deny", message: "Use the script" })).toEqual({
      behavior: "deny",
      message: "Use the script",
    });
    expect(decisionOf("Bash", { decision: "deny", interrupt: true })).toEqual({
      behavior: "deny",
      message: "The user declined this request.",
      interrupt: true,
    });
  });

  it("allows a tool for the rest of the session, and never in a file", () => {
    for (const [name, toolName] of [
      ["Bash", "Bash"],
      ["mcp-memory-ask-user", "mcp__memory__ask_user"],
    ] as const)
      expect(decisionOf(name, { decision: "allowAll", scope: "tool" })).toEqual({
        behavior: "allow",
        updatedPermissions: [
          { type: "addRules", rules: [{ toolName }], behavior: "allow", destination: "session" },
        ],
      });
  });

  it("allows exactly this command, with a rule only if the rule matches nothing else", () => {
    const rule = { toolName: "Bash", ruleContent: "touch /home/dev/acme-shop/denied.txt" };
    for (const scope of ["exact", undefined] as const)
      expect(decisionOf("Bash", { decision: "allowAll", ...(scope && { scope }) })).toEqual({
        behavior: "allow",
        updatedPermissions: [{ type: "addRules", rules: [rule], behavior: "allow", destination: "session" }],
      });
    for (const command of ["touch *", "git log --format=%s:*", "echo a\\*", "touch a\ntouch b"])
      expect(decisionOf("Bash", { decision: "allowAll" }, { command })).toEqual({ behavior: "allow" });
    expect(decisionOf("Write", { decision: "allowAll", scope: "exact" })).toEqual({ behavior: "allow" });
  });
});

describe("an answer to questions", () => {
  it("returns the questions with the answers by their texts, labels or not", () => {
    const answers = { [DATABASE]: "DuckDB, if it is small", [PARTS]: "Auth, Mail" };
    expect(decisionOf("AskUserQuestion", { answers }, twoQuestions)).toEqual({
      behavior: "allow",
      updatedInput: { ...twoQuestions, answers },
    });
    expect(
      decisionOf("AskUserQuestion", { decision: "allow", answers: { [DATABASE]: "SQLite" } }),
    ).toMatchObject({ updatedInput: { answers: { [DATABASE]: "SQLite" } } });
  });

  it("accepts one reply to all of them, or a denial", () => {
    expect(decisionOf("AskUserQuestion", { response: "Look at the README" }, twoQuestions)).toMatchObject({
      updatedInput: { answers: { [DATABASE]: "Look at the README", [PARTS]: "Look at the README" } },
    });
    expect(decisionOf("AskUserQuestion", { decision: "deny", message: "Not now" }, twoQuestions)).toEqual({
      behavior: "deny",
      message: "Not now",
    });
  });
});

describe("an answer to a plan", () => {
  it("approves it, unchanged or edited, with the mode to carry it out in", () => {
    expect(decisionOf("ExitPlanMode", { decision: "allow" })).toEqual({
      behavior: "allow",
      updatedInput: {},
    });
    expect(
      decisionOf("ExitPlanMode", {
        decision: "allow",
        updatedInput: { plan: "1. Less" },
        mode: "acceptEdits",
      }),
    ).toEqual({
      behavior: "allow",
      updatedInput: { plan: "1. Less" },
      updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    });
  });

  it("rejects it with feedback", () => {
    expect(decisionOf("ExitPlanMode", { decision: "deny", message: "Smaller steps" })).toEqual({
      behavior: "deny",
      message: "Smaller steps",
    });
  });
});

describe("an invalid answer is refused, with the reason", () => {
  const INVALID: [string, CardAnswer, RegExp, object?][] = [
    ["Bash", {}, /`decision` must be allow, allowAll or deny/],
    ["Bash", { answers: { [DATABASE]: "SQLite" } }, /`answers` does not fit/],
    ["Bash", { decision: "allow", scope: "tool" }, /`scope` does not fit allow/],
    ["Bash", { decision: "allow", message: "but" }, /`message` does not fit/],
    ["Bash", { decision: "allow", interrupt: true }, /`interrupt` does not fit/],
    ["Bash", { decision: "allow", mode: "default" }, /`mode` does not fit/],
    ["Bash", { decision: "allowAll", updatedInput: { command: "ls" } }, /`updatedInput` does not fit/],
    ["Bash", { decision: "deny", updatedInput: {} }, /`updatedInput` does not fit deny/],
    ["AskUserQuestion", { decision: "allow" }, /needs `answers` or a `response`/],
    ["AskUserQuestion", {}, /needs `answers`/],
    ["AskUserQuestion", { decision: "allowAll" }, /allowAll does not fit/],
    ["AskUserQuestion", { answers: { Database: "SQLite" } }, /no question "Database"/],
    [
      "AskUserQuestion",
      { answers: { [DATABASE]: " " } },
      /answer to "Which database should we use\?" is empty/,
    ],
    [
      "AskUserQuestion",
      { answers: { [DATABASE]: "SQLite" } },
      /"Which parts are wanted\?" has no answer/,
      twoQuestions,
    ],
    [
      "AskUserQuestion",
      { answers: { [DATABASE]: "a" }, response: "b" },
      /either `answers` or one `response`/,
    ],
    ["AskUserQuestion", { response: "" }, /is empty/],
    [
      "AskUserQuestion",
      { decision: "deny", answers: { [DATABASE]: "SQLite" } },
      /`answers` does not fit deny/,
    ],
    ["ExitPlanMode", {}, /`decision` must be allow or deny/],
    ["ExitPlanMode", { decision: "allowAll" }, /allowAll does not fit/],
    ["ExitPlanMode", { decision: "allow", updatedInput: { planFilePath: "/etc" } }, /not `planFilePath`/],
    ["ExitPlanMode", { decision: "allow", updatedInput: { plan: "" } }, /plan is empty/],
  ];
  it.each<[string, CardAnswer, RegExp, object?]>(INVALID)("%s %j", (name, answer, message, input) => {
    const convert = () => toCardReply(cardOf(name, input), answer);
    expect(convert).toThrow(message);
    expect(convert).toThrow(expect.objectContaining({ code: "answer_invalid" }));
  });
});

describe("a request", () => {
  it("is null for any other payload", () => {
    for (const payload of [
      null,
      "x",
      [],
      {},
      { ...payloadOf("Bash"), tool_name: "" },
      { ...payloadOf("Bash"), session_id: 7 },
      { ...payloadOf("Bash"), hook_event_name: "PreToolUse" },
    ])
      expect(readTerminalRequest(claude.answers.read(payload))).toBeNull();
  });

  it("keeps the plan or the questions", () => {
    expect(cardOf("ExitPlanMode", { plan: "1. Build", planFilePath: "/p.md" })).toMatchObject({
      kind: "plan",
      plan: "1. Build",
      source: "terminal",
      toolUseId: null,
    });
    expect(cardOf("AskUserQuestion", { questions: "none" })).toMatchObject({
      kind: "question",
      questions: [],
    });
  });
});

it("answers a question with any name", () => {
  const input = { questions: [{ question: "__proto__", options: ["x", "y"].map(option) }] };
  const answer = CardAnswer.parse(JSON.parse('{"answers":{"__proto__":"x"}}'));
  expect(JSON.stringify(decisionOf("AskUserQuestion", answer, input))).toContain(
    '"answers":{"__proto__":"x"}',
  );
  expect(() => decisionOf("AskUserQuestion", { answers: {} }, input)).toThrow(/has no answer/);
});
