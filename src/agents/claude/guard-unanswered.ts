import type { GuardPhase } from "../installer.ts";

/** What the guard's hook writes into the spool when nobody answered it. The name is ours, not Claude Code's. */
export const UNANSWERED = "HooklineGuardUnanswered";

/** For `printf`: the session, and what the daemon did. */
export function unansweredPayload(phase: GuardPhase): string {
  return `{"hook_event_name":"${UNANSWERED}","session_id":"%s","phase":"${phase}","daemon":"%s"}\\n`;
}

/** In the words of a verdict, so that it stands where verdicts stand. */
export function unansweredVerdict(phase: string, daemon: string) {
  const why = daemon === "down" ? "No daemon was running" : "The daemon did not answer in time";
  const what = phase === "denied" ? "this call was denied" : "this call was not checked";
  return {
    hookEvent: "PreToolUse",
    toolName: null,
    verdict: "unanswered",
    rule: "builtin/unanswered",
    reason: `${why}: ${what}.`,
  };
}
