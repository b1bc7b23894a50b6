import type { AnswerFormat, HookReply } from "../../agents/answer-format.ts";
import type { InjectedContext } from "./fill-budget.ts";

/** The reply for the model. Says nothing about permission: the hook does not ask whether the tool may run. */
export function toHookReply(context: InjectedContext): HookReply {
  return { context: context.text };
}

/** The text of a digest file, printed by the start hook. `notice` is a line for the user, or null. */
export function sessionStartAnswer(
  answers: AnswerFormat,
  context: InjectedContext,
  notice: string | null,
): string {
  return startAnswer(answers, { ...toHookReply(context), ...(notice !== null && { notice }) });
}

/** What was injected into a session, and where to see it. */
export function injectionNotice({ items, tokens }: InjectedContext, port: number | null): string {
  const notes = items.length === 1 ? "1 note" : items.length === 0 ? "notes" : `${items.length} notes`;
  const where = port === null ? [] : [`http://127.0.0.1:${port}`];
  return [
    "Hookline added",
    `${notes} of earlier work to this session (${tokens} tokens):`,
    [...where, "hookline context --explain"].join(" · "),
  ].join(" ");
}

/** For the user who starts the first session after an installation, which has no digest yet. */
export function welcomeAnswer(answers: AnswerFormat, port: number): string {
  const notice =
    `Hookline now records your sessions; the next one in a project learns from the earlier ones. ` +
    `See them at http://127.0.0.1:${port} (\`hookline open\` logs you in) or with \`hookline top\`, ` +
    `search them with \`hookline search\`, pause with \`hookline pause\`.`;
  return startAnswer(answers, { notice });
}

function startAnswer(answers: AnswerFormat, reply: HookReply): string {
  return JSON.stringify(answers.write(answers.events.start, reply));
}
