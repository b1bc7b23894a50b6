import type { PermissionReply } from "../../agents/answer-format.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import {
  DEFAULT_DENIAL,
  invalidAnswer,
  rejectUnexpectedFields,
  validateAnswers,
} from "../validate-answer.ts";
import { exactRule } from "./allowances.ts";
import { questionTexts } from "./terminal-request.ts";

/** The reply to the hook, and its outcome. */
export interface CardReply {
  readonly reply: PermissionReply;
  readonly outcome: "allow" | "allowAll" | "deny" | "answered";
}

/** Throws if the answer does not fit the card. */
export function toCardReply(card: Card, answer: CardAnswer, toolForm: ToolForm | null = null): CardReply {
  rejectUnexpectedFields(card, answer);
  if (answer.decision === "deny") return deny(answer);
  switch (card.kind) {
    case "permission":
      return answerPermission({ ...card, toolForm }, answer);
    case "question":
      return answerQuestions(card, answer);
    case "plan":
      return answerPlan(answer);
    default:
      return card.kind satisfies never;
  }
}

function deny({ message, interrupt }: CardAnswer): CardReply {
  const reply = {
    behavior: "deny",
    message: message?.trim() ? message : DEFAULT_DENIAL,
    ...(interrupt === true && { interrupt }),
  } as const;
  return { reply, outcome: "deny" };
}

function answerPermission(
  card: Card & { readonly toolForm: ToolForm | null },
  { decision, scope, updatedInput }: CardAnswer,
): CardReply {
  if (decision === undefined) throw invalidAnswer("`decision` must be allow, allowAll or deny");
  if (decision === "allow")
    return { reply: { behavior: "allow", ...(updatedInput && { updatedInput }) }, outcome: "allow" };
  const allowRule = scope === "tool" ? { toolName: card.toolName } : exactRule(card);
  return { reply: { behavior: "allow", ...(allowRule && { allowRule }) }, outcome: "allowAll" };
}

/** For a question, an allow without `updatedInput`, or without the questions in it, is ignored. */
function answerQuestions({ questions }: Card, { answers, response }: CardAnswer): CardReply {
  const texts = questionTexts(questions);
  if (answers !== undefined && response !== undefined)
    throw invalidAnswer("either `answers` or one `response` to all of them");
  const answersByText = answers ?? (response !== undefined ? answerEach(texts, response) : undefined);
  if (answersByText === undefined) throw invalidAnswer("a question needs `answers` or a `response`");
  validateAnswers(texts, answersByText);
  const updatedInput = { questions, answers: answersByText };
  return { reply: { behavior: "allow", updatedInput }, outcome: "answered" };
}

/** A hook cannot reply to all questions at once, so the reply becomes the answer to each. */
function answerEach(texts: readonly string[], response: string): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [text, response]));
}

function answerPlan({ decision, updatedInput, mode }: CardAnswer): CardReply {
  if (decision === undefined) throw invalidAnswer("`decision` must be allow or deny");
  const { plan, ...rest } = updatedInput ?? {};
  const [unexpected] = Object.keys(rest);
  if (unexpected !== undefined)
    throw invalidAnswer(`of a plan only \`plan\` can be changed, not \`${unexpected}\``);
  if (plan !== undefined && (typeof plan !== "string" || plan.trim() === ""))
    throw invalidAnswer("the changed plan is empty");
  const changed = { updatedInput: plan === undefined ? {} : { plan } };
  return { reply: { behavior: "allow", ...changed, ...(mode && { mode }) }, outcome: "allow" };
}
