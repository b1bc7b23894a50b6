import type { Verdict } from "../../policy/request.ts";

/** What the hooks print, as Claude Code reads it. */

export function denial(permissionDecisionReason: string): object {
  return beforeCall({ permissionDecision: "deny", permissionDecisionReason });
}

/** With a changed input alone, no decision is given: the agent's own mode judges the changed call. */
export function question(verdict: Verdict): object {
  const { updatedInput } = verdict;
  const asks = { permissionDecision: "ask", permissionDecisionReason: wordsOf(verdict) };
  return beforeCall({ ...asks, ...(updatedInput && { updatedInput }) });
}

export function rewriting({ updatedInput }: Verdict): object {
  return beforeCall({ updatedInput });
}

export function refusal(verdict: Verdict): object {
  return decision({ behavior: "deny", message: wordsOf(verdict) });
}

export function leave({ updatedInput }: Verdict): object {
  return decision({ behavior: "allow", ...(updatedInput && { updatedInput }) });
}

/** For the model, and for the person who looks for the rule. */
export function wordsOf({ reason, rule }: Verdict): string {
  return `Hookline: ${reason} [${rule}]`;
}

function beforeCall(output: object): object {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...output } };
}

function decision(answer: object): object {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: answer } };
}
