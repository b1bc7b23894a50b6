import type { Given } from "./fill-budget.ts";

/** What Claude Code is answered, as the text a hook prints. */

/** A digest's file. `notice` is a line for the person, or null. */
export function sessionStartAnswer(given: Given, notice: string | null): string {
  return toJson("SessionStart", given.text, notice);
}

export function promptAnswer(given: Given): string {
  return toJson("UserPromptSubmit", given.text, null);
}

/** Says nothing of permission: whether the tool may run is not asked. */
export function fileAnswer(given: Given): string {
  return toJson("PreToolUse", given.text, null);
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
export function welcomeAnswer(port: number): string {
  const systemMessage =
    `Hookline records your sessions from now on; the next one in a project is told what was learned in it. ` +
    `See them at http://127.0.0.1:${port} (\`hookline open\` signs you in) or with \`hookline top\`, ` +
    `search them with \`hookline search\`, pause with \`hookline pause\`.`;
  return JSON.stringify({ systemMessage });
}

function toJson(hookEventName: string, additionalContext: string, systemMessage: string | null): string {
  return JSON.stringify({
    hookSpecificOutput: { hookEventName, additionalContext },
    ...(systemMessage !== null && { systemMessage }),
  });
}
