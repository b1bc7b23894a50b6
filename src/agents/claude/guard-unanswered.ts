/** What the guard's hook writes into the spool when nobody answered it. The name is ours, not Claude Code's. */
export const UNANSWERED = "HooklineGuardUnanswered";

/** What became of the call: it ran unchecked, or it was denied (`guard.failClosed`). */
export type GuardPhase = "unchecked" | "denied";

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
