import type { HookReply } from "../../agents/answer-format.ts";
import { inContextTag, MOST_CHARACTERS } from "../../memory/inject/wrap.ts";

/** What one rule has to say to the session. */
export type Say =
  | { readonly type: "block"; readonly text: string }
  | { readonly type: "deny"; readonly text: string }
  | { readonly type: "context"; readonly text: string }
  | { readonly type: "message"; readonly text: string };

/** One answer of all of them; null when none has anything to say. */
export function mergeAnswers(says: readonly Say[]): HookReply | null {
  const textOf = (type: Say["type"]): string | null => {
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
    // In our tag, so that it is not taken for what was said when it comes back.
    ...(context !== null && { context: inContextTag(context) }),
    ...(message !== null && { notice: message }),
  };
  return Object.keys(answer).length === 0 ? null : answer;
}

const CUT = "\n[…]";
const ROOM = MOST_CHARACTERS - 100;

/** More than 10,000 characters go to a file in Claude Code. */
function cut(text: string): string {
  const whole = text.toWellFormed();
  return whole.length <= ROOM ? whole : `${whole.slice(0, ROOM - CUT.length).toWellFormed()}${CUT}`;
}
