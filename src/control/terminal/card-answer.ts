import type { PermissionReply } from "../../agents/answer-format.ts";
import type { ToolForm } from "../../agents/tool-table.ts";
import { checkAnswers, DENIED, invalid, refuseStrays } from "../answer-fits.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import { exactRule } from "./card-exact.ts";
import { questionTexts } from "./card-request.ts";

/** What goes back to the hook, and what that was. */
export interface GivenAnswer {
  readonly reply: PermissionReply;
  readonly outcome: "allow" | "allowAll" | "deny" | "answered";
}

/** An answer that does not fit is refused. */
export function giveAnswer(card: Card, answer: CardAnswer, toolForm: ToolForm | null = null): GivenAnswer {
  refuseStrays(card, answer);
  if (answer.decision === "deny") return deny(answer);
  switch (card.kind) {
    case "permission":
      return permit({ ...card, toolForm }, answer);
    case "question":
      return reply(card, answer);
    case "plan":
      return approve(answer);
    default:
      return card.kind satisfies never;
  }
}

function deny({ message, interrupt }: CardAnswer): GivenAnswer {
  const reply = {
    behavior: "deny",
    message: message?.trim() ? message : DENIED,
    ...(interrupt === true && { interrupt }),
  } as const;
  return { reply, outcome: "deny" };
}

function permit(
  card: Card & { readonly toolForm: ToolForm | null },
  { decision, scope, updatedInput }: CardAnswer,
): GivenAnswer {
  if (decision === undefined) throw invalid("`decision` must be allow, allowAll or deny");
  if (decision === "allow")
    return { reply: { behavior: "allow", ...(updatedInput && { updatedInput }) }, outcome: "allow" };
  const allowRule = scope === "tool" ? { toolName: card.toolName } : exactRule(card);
  return { reply: { behavior: "allow", ...(allowRule && { allowRule }) }, outcome: "allowAll" };
}

/** An allow without `updatedInput` is ignored for a question, and so is one without the questions themselves. */
function reply({ questions }: Card, { answers, response }: CardAnswer): GivenAnswer {
  const texts = questionTexts(questions);
  if (answers !== undefined && response !== undefined)
    throw invalid("either `answers` or one `response` to all of them");
  const given = answers ?? (response !== undefined ? toEach(texts, response) : undefined);
  if (given === undefined) throw invalid("a question needs `answers` or a `response`");
  checkAnswers(texts, given);
  const updatedInput = { questions, answers: given };
  return { reply: { behavior: "allow", updatedInput }, outcome: "answered" };
}

/** A hook has no way to reply to all at once: the reply is the answer to each. */
function toEach(texts: readonly string[], response: string): Record<string, string> {
  return Object.fromEntries(texts.map((text) => [text, response]));
}

function approve({ decision, updatedInput, mode }: CardAnswer): GivenAnswer {
  if (decision === undefined) throw invalid("`decision` must be allow or deny");
  const { plan, ...rest } = updatedInput ?? {};
  const [stray] = Object.keys(rest);
  if (stray !== undefined) throw invalid(`of a plan only \`plan\` can be changed, not \`${stray}\``);
  if (plan !== undefined && (typeof plan !== "string" || plan.trim() === ""))
    throw invalid("the changed plan is empty");
  const changed = { updatedInput: plan === undefined ? {} : { plan } };
  return { reply: { behavior: "allow", ...changed, ...(mode && { mode }) }, outcome: "allow" };
}
