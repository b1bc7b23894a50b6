import type { AnswerFormat, HookReply } from "../../agents/answer-format.ts";
import type { Given } from "./fill-budget.ts";

/** For the model. Says nothing of permission: whether the tool may run is not asked. */
export function contextOf(given: Given): HookReply {
  return { context: given.text };
}

/** A digest's file: the text that the start hook prints. `notice` is a line for the person, or null. */
export function sessionStartAnswer(answers: AnswerFormat, given: Given, notice: string | null): string {
  return startAnswer(answers, { ...contextOf(given), ...(notice !== null && { notice }) });
}

/** What a session was given, and where to look. */
export function noticeOf({ items, tokens }: Given, port: number | null): string {
  const what = items.length === 1 ? "1 note" : items.length === 0 ? "notes" : `${items.length} notes`;
  const where = port === null ? [] : [`http://127.0.0.1:${port}`];
  return [
    "Hookline gave this session",
    `${what} of earlier work (${tokens} tokens):`,
    [...where, "hookline context --explain"].join(" · "),
  ].join(" ");
}

/** For the person who starts the first session after an installation: it has no digest yet. */
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
