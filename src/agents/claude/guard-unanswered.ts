import type { GuardPhase } from "../installer.ts";

/** The event that the guard's hook spools when it got no answer. The name is ours, not Claude Code's. */
export const UNANSWERED_EVENT = "HooklineGuardUnanswered";

/** A `printf` format: the session, then the daemon's state. */
export function unansweredPayload(phase: GuardPhase): string {
  return `{"hook_event_name":"${UNANSWERED_EVENT}","session_id":"%s","phase":"${phase}","daemon":"%s"}\\n`;
}

/** Shaped like a verdict, so that it shows up among verdicts. */
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
