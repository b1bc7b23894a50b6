import { checkAnswers, DENIED, invalid, refuseStrays } from "../answer-fits.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import { exactRule } from "./card-exact.ts";
import { questionTexts } from "./card-request.ts";

/** What goes back to the hook, and what that was. */
export interface GivenAnswer {
  readonly output: object;
  readonly outcome: "allow" | "allowAll" | "deny" | "answered";
}

/** The hook's JSON for an answer, in the forms that Claude Code was seen to take. An answer that does not fit is refused. */
export function giveAnswer(card: Card, answer: CardAnswer): GivenAnswer {
  refuseStrays(card, answer);
  if (answer.decision === "deny") return deny(answer);
  switch (card.kind) {
    case "permission":
      return permit(card, answer);
    case "question":
      return reply(card, answer);
    case "plan":
      return approve(answer);
    default:
      return card.kind satisfies never;
  }
}

/** Allows the call as it was asked. */
export function allowOutput(more: object = {}): object {
  return toOutput({ behavior: "allow", ...more });
}

function deny({ message, interrupt }: CardAnswer): GivenAnswer {
  const output = toOutput({
    behavior: "deny",
    message: message?.trim() ? message : DENIED,
    ...(interrupt === true && { interrupt }),
  });
  return { output, outcome: "deny" };
}

function permit(card: Card, { decision, scope, updatedInput }: CardAnswer): GivenAnswer {
  if (decision === undefined) throw invalid("`decision` must be allow, allowAll or deny");
  if (decision === "allow")
    return { output: allowOutput(updatedInput && { updatedInput }), outcome: "allow" };
  const rule = scope === "tool" ? { toolName: card.toolName } : exactRule(card);
  return { output: allowOutput(rule && { updatedPermissions: [allowRule(rule)] }), outcome: "allowAll" };
}

/** An allow without `updatedInput` is ignored for a question, and so is one without the questions themselves. */
function reply({ questions }: Card, { answers, response }: CardAnswer): GivenAnswer {
  const texts = questionTexts(questions);
  if (answers !== undefined && response !== undefined)
    throw invalid("either `answers` or one `response` to all of them");
  const given = answers ?? (response !== undefined ? toEach(texts, response) : undefined);
  if (given === undefined) throw invalid("a question needs `answers` or a `response`");
  checkAnswers(texts, given);
  return { output: allowOutput({ updatedInput: { questions, answers: given } }), outcome: "answered" };
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
  const output = allowOutput({
    updatedInput: plan === undefined ? {} : { plan },
    ...(mode && { updatedPermissions: [{ type: "setMode", mode, destination: "session" }] }),
  });
  return { output, outcome: "allow" };
}

/** An entry without `destination` voids the whole answer; any other than `session` would be written to a file. */
function allowRule(rule: { readonly toolName: string; readonly ruleContent?: string }): object {
  return { type: "addRules", rules: [rule], behavior: "allow", destination: "session" };
}

function toOutput(decision: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}
