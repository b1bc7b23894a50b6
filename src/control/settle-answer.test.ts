import { describe, expect, it } from "vitest";
import type { CardAnswer } from "./control-contract.ts";
import type { DrivenRequest } from "./driven-input.ts";
import { toSettlement } from "./settle-answer.ts";

const base = { toolUseId: "t", reason: "", rule: null, agentId: null, agentType: null, sinceIso: "" };
const permission: DrivenRequest = { ...base, kind: "permission", tool: "Bash", input: { command: "ls" } };
const plan: DrivenRequest = { ...base, kind: "plan", tool: "ExitPlanMode", input: { plan: "1." } };
const questions = [{ question: "Which?" }, { question: "How?" }];
const question: DrivenRequest = { ...base, kind: "question", tool: "AskUserQuestion", input: { questions } };

describe("an answer that fits", () => {
  it("allows the original or a changed input", () => {
    const allowed = (answer: CardAnswer) => toSettlement(permission, answer).reply;
    expect(allowed({ decision: "allow" })).toEqual({ behavior: "allow", updatedInput: { command: "ls" } });
    const updatedInput = { command: "ls -l" };
    expect(allowed({ decision: "allow", updatedInput })).toEqual({ behavior: "allow", updatedInput });
  });

  it("allows the same input again, or the whole tool if requested", () => {
    expect(toSettlement(permission, { decision: "allowAll" })).toMatchObject({
      outcome: "allowAll",
      scope: "exact",
    });
    expect(toSettlement(permission, { decision: "allowAll", scope: "tool" }).scope).toBe("tool");
    expect(toSettlement(permission, { decision: "allow" }).scope).toBeNull();
  });

  it("denies with a message, and ends the turn if requested", () => {
    const reply = { behavior: "deny", message: "no", interrupt: true };
    expect(toSettlement(question, { decision: "deny", message: "no", interrupt: true }).reply).toEqual(reply);
    expect(toSettlement(plan, { decision: "deny" }).reply).toMatchObject({
      message: "The user declined this request.",
    });
  });

  it("answers by question, or with one reply to all", () => {
    const answers = { "Which?": "A, B", "How?": "well" };
    expect(toSettlement(question, { answers })).toMatchObject({
      outcome: "answered",
      answers,
      reply: { behavior: "allow", updatedInput: { questions, answers } },
    });
    expect(toSettlement(question, { response: "neither" }).reply).toMatchObject({
      updatedInput: { questions, response: "neither" },
    });
  });

  it("approves a plan in another mode, and edited", () => {
    const answer: CardAnswer = { decision: "allow", mode: "acceptEdits", updatedInput: { plan: "2." } };
    expect(toSettlement(plan, answer)).toMatchObject({
      mode: "acceptEdits",
      reply: { updatedInput: { plan: "2." } },
    });
  });
});

describe("refuses", () => {
  const cases: readonly (readonly [string, DrivenRequest, CardAnswer])[] = [
    ["an empty answer object", permission, {}],
    ["answers to a permission", permission, { decision: "allow", answers: {} }],
    ["a scope without allowAll", permission, { decision: "allow", scope: "tool" }],
    ["allowAll of a question", question, { decision: "allowAll" }],
    ["a question without an answer", question, { answers: { "Which?": "A" } }],
    ["an answer to an unknown question", question, { answers: { "Which?": "A", "How?": "b", "Why?": "c" } }],
    ["an empty answer", question, { answers: { "Which?": " ", "How?": "b" } }],
    ["answers and a response", question, { answers: { "Which?": "A", "How?": "b" }, response: "x" }],
    ["a mode for a permission", permission, { decision: "allow", mode: "default" }],
    ["a message with allow", plan, { decision: "allow", message: "x" }],
  ];
  it.each(cases)("%s", (_name, request, answer) => {
    expect(() => toSettlement(request, answer)).toThrow(expect.objectContaining({ code: "answer_invalid" }));
  });
});
