import { AppError } from "../app-error.ts";
import type { CardAnswer, CardKind } from "./control-contract.ts";

/** Checks for answers to requests of any session, driven or terminal. */

export const DEFAULT_DENIAL = "The user declined this request.";

/** Every question has exactly one answer, keyed by its text, and there are no others. */
export function validateAnswers(texts: readonly string[], answers: Readonly<Record<string, string>>): void {
  for (const [question, answer] of Object.entries(answers)) {
    if (!texts.includes(question)) throw invalidAnswer(`there is no question "${question}"`);
    if (answer.trim() === "") throw invalidAnswer(`the answer to "${question}" is empty`);
  }
  const unanswered = texts.find((question) => !Object.hasOwn(answers, question));
  if (unanswered !== undefined) throw invalidAnswer(`the question "${unanswered}" has no answer`);
}

/** Which fields an answer may have, depending on the decision. */
export function rejectUnexpectedFields({ kind }: { readonly kind: CardKind }, answer: CardAnswer): void {
  const { decision } = answer;
  if (decision === "allowAll" && kind !== "permission")
    throw invalidAnswer(`a ${kind} is answered once: allowAll does not fit`);
  const allowedFields: Readonly<Partial<Record<keyof CardAnswer, boolean>>> = {
    scope: decision === "allowAll",
    message: decision === "deny",
    interrupt: decision === "deny",
    updatedInput: decision === "allow" && kind !== "question",
    answers: kind === "question" && decision !== "deny",
    response: kind === "question" && decision !== "deny",
    mode: kind === "plan" && decision === "allow",
  };
  for (const [key, isAllowed] of Object.entries(allowedFields))
    if (!isAllowed && answer[key as keyof CardAnswer] !== undefined)
      throw invalidAnswer(
        `\`${key}\` does not fit ${decision ?? "an answer without a decision"} of a ${kind}`,
      );
}

export function invalidAnswer(message: string): AppError {
  return new AppError("answer_invalid", `${message}.`);
}
