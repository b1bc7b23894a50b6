import type { HookReply } from "../../agents/answer-format.ts";
import { MAX_CONTEXT_CHARS, wrapInContextTag } from "../../memory/inject/wrap-context.ts";

/** One rule's answer to the session. */
export type RuleAnswer =
  | { readonly type: "block"; readonly text: string }
  | { readonly type: "deny"; readonly text: string }
  | { readonly type: "context"; readonly text: string }
  | { readonly type: "message"; readonly text: string };

/** Merges all answers into one; null if none says anything. */
export function mergeAnswers(answers: readonly RuleAnswer[]): HookReply | null {
  const textOf = (type: RuleAnswer["type"]): string | null => {
    const texts = answers
      .filter((entry) => entry.type === type && entry.text.trim() !== "")
      .map(({ text }) => text);
    return texts.length === 0 ? null : truncate([...new Set(texts)].join("\n\n"));
  };
  const block = textOf("block");
  const deny = textOf("deny");
  const context = textOf("context");
  const message = textOf("message");
  const merged: HookReply = {
    ...(block !== null && { block: { reason: block } }),
    ...(deny !== null && { call: { verdict: "deny", reason: deny } }),
    // Tagged as ours, so that it is not mistaken for user text when it comes back.
    ...(context !== null && { context: wrapInContextTag(context) }),
    ...(message !== null && { notice: message }),
  };
  return Object.keys(merged).length === 0 ? null : merged;
}

const TRUNCATION_MARK = "\n[…]";
const MAX_ANSWER_CHARS = MAX_CONTEXT_CHARS - 100;

/** Claude Code moves more than 10,000 characters to a file. */
function truncate(text: string): string {
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= MAX_ANSWER_CHARS
    ? wellFormed
    : `${wellFormed.slice(0, MAX_ANSWER_CHARS - TRUNCATION_MARK.length).toWellFormed()}${TRUNCATION_MARK}`;
}
