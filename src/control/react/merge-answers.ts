import type { HookReply } from "../../agents/answer-format.ts";
import { MAX_CONTEXT_CHARS, wrapInContextTag } from "../../memory/inject/wrap-context.ts";

/** One rule's answer to the session. */
export type RuleAnswer =
  | { readonly type: "block"; readonly text: string }
  | { readonly type: "deny"; readonly text: string }
  | { readonly type: "context"; readonly text: string }
  | { readonly type: "message"; readonly text: string };

/** Merges all answers into one; null if none says anything. */
export function mergeAnswers(says: readonly RuleAnswer[]): HookReply | null {
  const textOf = (type: RuleAnswer["type"]): string | null => {
    const texts = says.filter((say) => say.type === type && say.text.trim() !== "").map(({ text }) => text);
    return texts.length === 0 ? null : cut([...new Set(texts)].join("\n\n"));
  };
  const block = textOf("block");
  const deny = textOf("deny");
  const context = textOf("context");
  const message = textOf("message");
  const answer: HookReply = {
    ...(block !== null && { block: { reason: block } }),
    ...(deny !== null && { call: { verdict: "deny", reason: deny } }),
    // Tagged as ours, so that it is not mistaken for user text when it comes back.
    ...(context !== null && { context: wrapInContextTag(context) }),
    ...(message !== null && { notice: message }),
  };
  return Object.keys(answer).length === 0 ? null : answer;
}

const CUT = "\n[…]";
const ROOM = MAX_CONTEXT_CHARS - 100;

/** Claude Code moves more than 10,000 characters to a file. */
function cut(text: string): string {
  const whole = text.toWellFormed();
  return whole.length <= ROOM ? whole : `${whole.slice(0, ROOM - CUT.length).toWellFormed()}${CUT}`;
}
