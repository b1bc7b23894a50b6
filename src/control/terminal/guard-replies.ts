import type { HookReply } from "../../agents/answer-format.ts";
import type { Verdict } from "../../policy/request.ts";

/** Replies to an agent for a verdict. */

export function denyReply(reason: string): HookReply {
  return { call: { verdict: "deny", reason } };
}

/** For a changed input alone, no decision is returned: the agent's own mode judges the changed call. */
export function askReply(verdict: Verdict): HookReply {
  const { updatedInput } = verdict;
  return { call: { verdict: "ask", reason: verdictText(verdict) }, ...(updatedInput && { updatedInput }) };
}

export function rewriteReply({ updatedInput }: Verdict): HookReply {
  return { ...(updatedInput && { updatedInput }) };
}

export function denyPermissionReply(verdict: Verdict): HookReply {
  return { permission: { behavior: "deny", message: verdictText(verdict) } };
}

export function allowPermissionReply({ updatedInput }: Verdict): HookReply {
  return { permission: { behavior: "allow", ...(updatedInput && { updatedInput }) } };
}

/** For the model, and for a person who searches for the rule. */
export function verdictText({ reason, rule }: Verdict): string {
  return `Hookline: ${reason} [${rule}]`;
}
