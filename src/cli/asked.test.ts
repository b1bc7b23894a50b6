import { describe, expect, it } from "vitest";
import type { EnvelopeBody } from "../control/envelope.ts";
import { type Asked, applyAsked, askedLines, howToAnswer, toAnswer } from "./asked.ts";
import { drivenSession } from "./driven-session.testing.ts";
import type { AttachMessage } from "./follow-session.ts";

const database = {
  question: "Which database?",
  header: "Database",
  multiSelect: false,
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
};
const features = {
  question: "Which features?",
  multiSelect: true,
  options: [{ label: "Auth" }, { label: "Export" }],
};

const permission: Asked = {
  id: "t1",
  kind: "permission",
  toolName: "Bash",
  input: { command: "touch a.txt" },
  questions: [],
  plan: null,
  reason: "it writes",
  agentType: null,
  status: "pending",
};
const plan: Asked = { ...permission, kind: "plan", toolName: "ExitPlanMode", plan: "1. Build it" };
const asking = (...questions: unknown[]): Asked => ({
  ...permission,
  kind: "question",
  toolName: "AskUserQuestion",
  questions,
  reason: null,
});
const answered = (asked: Asked, line: string): unknown => {
  const typed = toAnswer(asked, line);
  return typed.type === "answer" ? typed.answer : "unclear";
};

describe("a typed answer", () => {
  it.each([
    ["y", { decision: "allow" }],
    ["Yes", { decision: "allow" }],
    ["allow", { decision: "allow" }],
    ["a", { decision: "allowAll", scope: "exact" }],
    ["a tool", { decision: "allowAll", scope: "tool" }],
    ["allow-all", { decision: "allowAll", scope: "exact" }],
    ["n", { decision: "deny" }],
    ["no: use the other file", { decision: "deny", message: "use the other file" }],
    ["yes please", "unclear"],
    ["go on with the tests", "unclear"],
    ["", "unclear"],
    ["1", "unclear"],
  ])("to a permission: %j", (line, expected) => {
    expect(answered(permission, line)).toEqual(expected);
  });

  it.each([
    ["y", { decision: "allow" }],
    ["a", { decision: "allow", mode: "acceptEdits" }],
    ["n smaller steps", { decision: "deny", message: "smaller steps" }],
    ["ok", "unclear"],
  ])("to a plan: %j", (line, expected) => {
    expect(answered(plan, line)).toEqual(expected);
  });

  it.each([
    ["2", { answers: { "Which database?": "Postgres" } }],
    ["sqlite", { answers: { "Which database?": "SQLite" } }],
    ["DuckDB, if it is there", { answers: { "Which database?": "DuckDB, if it is there" } }],
    ["3", "unclear"],
    ["0", "unclear"],
    ["1,2", "unclear"],
    ["n", { decision: "deny" }],
  ])("to a question: %j", (line, expected) => {
    expect(answered(asking(database), line)).toEqual(expected);
  });

  it("to several questions has a semicolon between, and several choices where they are allowed", () => {
    const both = asking(database, features);
    expect(answered(both, "1; 1, 2")).toEqual({
      answers: { "Which database?": "SQLite", "Which features?": "Auth, Export" },
    });
    for (const line of ["1", "1;2;2", "1;3", "1;"]) expect(answered(both, line)).toBe("unclear");
  });

  it("is free where the questions have no known shape", () => {
    expect(answered({ ...asking("what?"), input: null }, "this")).toEqual({ response: "this" });
  });
});

describe("what is asked", () => {
  it("is shown whole, without anything that a terminal would obey", () => {
    const evil: Asked = { ...permission, input: { command: "echo \u001b[2Ja\nrm b" } };
    expect(askedLines(evil)).toEqual(["Bash asks:", "  echo a", "  rm b", "  it writes"]);
    const edit: Asked = { ...permission, toolName: "Edit", input: { file_path: "a.ts", old_string: "x" } };
    expect(askedLines(edit)).toContain("  old_string: x");
    expect(askedLines(asking(database))).toEqual([
      "Which database?",
      "  1. SQLite  one file",
      "  2. Postgres",
    ]);
    expect(askedLines(plan)).toEqual(["The plan:", "  1. Build it"]);
  });

  it("says how it is answered", () => {
    expect(howToAnswer(permission)).toContain("every Bash");
    expect(howToAnswer(asking(database, features))).toContain("the 2 answers");
  });
});

describe("what waits", () => {
  const told = (body: EnvelopeBody, isReplay = false): AttachMessage => ({
    type: "envelope",
    isReplay,
    envelope: { v: 1, epoch: "e1", sessionId: "s1", seq: 1, ts: "2026-11-15T12:00:00.000Z", ...body },
  });
  const request = (toolUseId: string, isReplay = false): AttachMessage =>
    told(
      {
        type: "permission.request",
        toolUseId,
        tool: "Bash",
        input: {},
        reason: "r",
        rule: null,
        agentId: null,
        agentType: null,
      },
      isReplay,
    );
  const resolved = (toolUseId: string): AttachMessage =>
    told({ type: "permission.resolved", toolUseId, outcome: "allow", by: "user", who: null, rule: null });
  const ids = (messages: AttachMessage[]): string[] =>
    messages.reduce<readonly Asked[]>(applyAsked, []).map(({ id }) => id);

  it("is what was asked and not answered", () => {
    expect(ids([request("t1"), request("t2"), request("t1"), resolved("t2")])).toEqual(["t1"]);
    expect(ids([request("t1"), { type: "down" }])).toEqual(["t1"]);
    expect(ids([request("t1"), told({ type: "state", state: "closed", why: null })])).toEqual([]);
  });

  it("is what a snapshot says, whatever is replayed after it", () => {
    const snapshot: AttachMessage = { type: "snapshot", session: drivenSession() };
    expect(ids([request("t1"), snapshot, request("t2", true)])).toEqual([]);
  });

  it("knows a plan and a question", () => {
    const asked = told({ type: "question.request", toolUseId: "q", questions: [database], agentId: null });
    expect(applyAsked([], asked)).toMatchObject([{ kind: "question", questions: [database] }]);
    const planned = request("p") as AttachMessage & { type: "envelope" };
    const exit = { ...planned.envelope, tool: "ExitPlanMode", input: { plan: "1. Build" } };
    expect(applyAsked([], { ...planned, envelope: exit as typeof planned.envelope })).toMatchObject([
      { kind: "plan", plan: "1. Build" },
    ]);
  });
});
