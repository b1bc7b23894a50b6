import type { AnswerFormat, HookReply } from "../../agents/answer-format.ts";
import type { InjectedContext } from "./fill-budget.ts";

/** The reply for the model. Says nothing about permission: the hook does not ask whether the tool may run. */
export function toHookReply(given: InjectedContext): HookReply {
  return { context: given.text };
}

/** The text of a digest file, printed by the start hook. `notice` is a line for the user, or null. */
export function sessionStartAnswer(
  answers: AnswerFormat,
  given: InjectedContext,
  notice: string | null,
): string {
  return startAnswer(answers, { ...toHookReply(given), ...(notice !== null && { notice }) });
}

/** What was injected into a session, and where to see it. */
export function injectionNotice({ items, tokens }: InjectedContext, port: number | null): string {
  const what = items.length === 1 ? "1 note" : items.length === 0 ? "notes" : `${items.length} notes`;
  const where = port === null ? [] : [`http://127.0.0.1:${port}`];
  return [
    "Hookline gave this session",
    `${what} of earlier work (${tokens} tokens):`,
    [...where, "hookline context --explain"].join(" · "),
  ].join(" ");
}

/** For the user who starts the first session after an installation, which has no digest yet. */
export function welcomeAnswer(answers: AnswerFormat, port: number): string {
  const notice =
    `Hookline records your sessions from now on; the next one in a project is told what was learned in it. ` +
    `See them at http://127.0.0.1:${port} (\`hookline open\` signs you in) or with \`hookline top\`, ` +
    `search them with \`hookline search\`, pause with \`hookline pause\`.`;
  return startAnswer(answers, { notice });
}

function startAnswer(answers: AnswerFormat, reply: HookReply): string {
  return JSON.stringify(answers.write(answers.events.start, reply));
}
