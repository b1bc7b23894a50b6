import type { HookReply } from "../../agents/answer-format.ts";
import type { Verdict } from "../../policy/request.ts";

/** What a verdict says to an agent. */

export function denial(reason: string): HookReply {
  return { call: { verdict: "deny", reason } };
}

/** With a changed input alone, no decision is given: the agent's own mode judges the changed call. */
export function question(verdict: Verdict): HookReply {
  const { updatedInput } = verdict;
  return { call: { verdict: "ask", reason: wordsOf(verdict) }, ...(updatedInput && { updatedInput }) };
}

export function rewriting({ updatedInput }: Verdict): HookReply {
  return { ...(updatedInput && { updatedInput }) };
}

export function refusal(verdict: Verdict): HookReply {
  return { permission: { behavior: "deny", message: wordsOf(verdict) } };
}

export function leave({ updatedInput }: Verdict): HookReply {
  return { permission: { behavior: "allow", ...(updatedInput && { updatedInput }) } };
}

/** For the model, and for the person who looks for the rule. */
export function wordsOf({ reason, rule }: Verdict): string {
  return `Hookline: ${reason} [${rule}]`;
}
