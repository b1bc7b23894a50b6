import { AppError } from "../app-error.ts";
import type { CardAnswer, CardKind } from "./control-contract.ts";

/** What holds of an answer to a request of any session, driven or in a terminal. */

export const DENIED = "The user declined this request.";

/** Each question has one answer, by its text, and nothing else has. */
export function checkAnswers(texts: readonly string[], answers: Readonly<Record<string, string>>): void {
  for (const [question, answer] of Object.entries(answers)) {
    if (!texts.includes(question)) throw invalid(`there is no question "${question}"`);
    if (answer.trim() === "") throw invalid(`the answer to "${question}" is empty`);
  }
  const open = texts.find((question) => !Object.hasOwn(answers, question));
  if (open !== undefined) throw invalid(`the question "${open}" has no answer`);
}

/** What may stand in an answer, by what is decided. */
export function refuseStrays({ kind }: { readonly kind: CardKind }, answer: CardAnswer): void {
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

export function invalid(message: string): AppError {
  return new AppError("answer_invalid", `${message}.`);
}
