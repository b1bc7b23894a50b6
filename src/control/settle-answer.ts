import { asObject, text } from "../agents/read-json.ts";
import type { CardAnswer } from "./control-contract.ts";
import type { DrivenRequest, Settlement } from "./driven-input.ts";
import { questionsOf } from "./step-request.ts";
import { DEFAULT_DENIAL, invalidAnswer, rejectUnexpectedFields, validateAnswers } from "./validate-answer.ts";

/** Validates a person's answer against the request. A mismatch is refused, and the request stays open. */
export function toSettlement(request: DrivenRequest, answer: CardAnswer): Settlement {
  rejectUnexpectedFields(request, answer);
  const who = answer.who ?? null;
  const base = { by: "user", who, rule: null, answers: null, scope: null, mode: null } as const;
  if (answer.decision === "deny") {
    const { message, interrupt = false } = answer;
    const reply = {
      behavior: "deny",
      message: message?.trim() ? message : DEFAULT_DENIAL,
      interrupt,
    } as const;
    return { ...base, outcome: "deny", reply };
  }
  if (request.kind === "question") return { ...base, ...toAnswered(request, answer) };
  const { decision, updatedInput, scope = "exact", mode = null } = answer;
  if (decision === undefined) throw invalidAnswer("`decision` must be allow, allowAll or deny");
  const input =
    request.kind === "plan" ? { ...request.input, ...updatedInput } : (updatedInput ?? request.input);
  const reply = { behavior: "allow", updatedInput: input } as const;
  return { ...base, outcome: decision, reply, mode, scope: decision === "allowAll" ? scope : null };
}

function toAnswered(
  { input }: DrivenRequest,
  { answers, response }: CardAnswer,
): Pick<Settlement, "outcome" | "reply" | "answers"> {
  if ((answers === undefined) === (response === undefined))
    throw invalidAnswer("a question needs `answers` by question, or one `response` to all of them");
  if (response !== undefined) {
    if (response.trim() === "") throw invalidAnswer("the response is empty");
    const reply = { behavior: "allow", updatedInput: { ...input, answers: {}, response } } as const;
    return { outcome: "answered", answers: null, reply };
  }
  validateAnswers(questionTexts(input), answers!);
  return {
    outcome: "answered",
    answers: answers!,
    reply: { behavior: "allow", updatedInput: { ...input, answers } },
  };
}

function questionTexts(input: Readonly<Record<string, unknown>>): readonly string[] {
  return questionsOf(input).flatMap((question) => text(asObject(question), "question") ?? []);
}
