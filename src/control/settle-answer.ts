import { asObject, text } from "../agents/read-json.ts";
import { AppError } from "../app-error.ts";
import type { CardAnswer } from "./control-contract.ts";
import type { AskedRequest, Settlement } from "./driven-input.ts";
import { questionsOf } from "./step-request.ts";

/** A person's answer, checked against what was asked. What does not fit is refused, and the request stays open. */
export function toSettlement(request: AskedRequest, answer: CardAnswer): Settlement {
  refuseStrays(request, answer);
  const who = answer.who ?? null;
  const base = { by: "user", who, rule: null, answers: null, scope: null, mode: null } as const;
  if (answer.decision === "deny") {
    const { message, interrupt = false } = answer;
    const reply = { behavior: "deny", message: message?.trim() ? message : DENIED, interrupt } as const;
    return { ...base, outcome: "deny", reply };
  }
  if (request.kind === "question") return { ...base, ...answered(request, answer) };
  const { decision, updatedInput, scope = "exact", mode = null } = answer;
  if (decision === undefined) throw invalid("`decision` must be allow, allowAll or deny");
  const input =
    request.kind === "plan" ? { ...request.input, ...updatedInput } : (updatedInput ?? request.input);
  const reply = { behavior: "allow", updatedInput: input } as const;
  return { ...base, outcome: decision, reply, mode, scope: decision === "allowAll" ? scope : null };
}

const DENIED = "The user declined this request.";

function answered(
  { input }: AskedRequest,
  { answers, response }: CardAnswer,
): Pick<Settlement, "outcome" | "reply" | "answers"> {
  if ((answers === undefined) === (response === undefined))
    throw invalid("a question needs `answers` by question, or one `response` to all of them");
  if (response !== undefined) {
    if (response.trim() === "") throw invalid("the response is empty");
    const reply = { behavior: "allow", updatedInput: { ...input, answers: {}, response } } as const;
    return { outcome: "answered", answers: null, reply };
  }
  checkAnswers(questionTexts(input), answers!);
  return {
    outcome: "answered",
    answers: answers!,
    reply: { behavior: "allow", updatedInput: { ...input, answers } },
  };
}

function checkAnswers(texts: readonly string[], answers: Readonly<Record<string, string>>): void {
  for (const [question, answer] of Object.entries(answers)) {
    if (!texts.includes(question)) throw invalid(`there is no question "${question}"`);
    if (answer.trim() === "") throw invalid(`the answer to "${question}" is empty`);
  }
  const open = texts.find((question) => answers[question] === undefined);
  if (open !== undefined) throw invalid(`the question "${open}" has no answer`);
}

function questionTexts(input: Readonly<Record<string, unknown>>): readonly string[] {
  return questionsOf(input).flatMap((question) => text(asObject(question), "question") ?? []);
}

/** What may stand in an answer, by what is decided. */
function refuseStrays({ kind }: AskedRequest, answer: CardAnswer): void {
  const { decision } = answer;
  if (decision === "allowAll" && kind !== "permission")
    throw invalid(`a ${kind} is answered once: allowAll does not fit`);
  const fits: Readonly<Partial<Record<keyof CardAnswer, boolean>>> = {
    scope: decision === "allowAll",
    message: decision === "deny",
    interrupt: decision === "deny",
    updatedInput: decision === "allow" && kind !== "question",
    answers: kind === "question" && decision !== "deny",
    response: kind === "question" && decision !== "deny",
    mode: kind === "plan" && decision === "allow",
  };
  for (const [key, isFitting] of Object.entries(fits))
    if (!isFitting && answer[key as keyof CardAnswer] !== undefined)
      throw invalid(`\`${key}\` does not fit ${decision ?? "an answer without a decision"} of a ${kind}`);
}

function invalid(message: string): AppError {
  return new AppError("answer_invalid", `${message}.`);
}
