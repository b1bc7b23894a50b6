import { asObject } from "./read-json.ts";

/**
 * Whether a call did not run because a user, a rule or a program refused it, which is not a failure of the
 * call. The transcript says so explicitly; other sources have only the text that the model saw.
 */
export function isDeniedCall(event: Readonly<Record<string, unknown>>): boolean {
  if (isDenialRecorded(event)) return true;
  const { success, errorMessage, toolOutput, metadata } = asObject(event["payload"]);
  // A program that ran may print the same text itself.
  if (success !== false || asObject(metadata)["exitCode"] != null) return false;
  return [errorMessage, toolOutput].some((message) => {
    const start = typeof message === "string" ? message.trimStart().slice(0, MAX_SCANNED_CHARS) : "";
    return DENIED_BY_USER.test(start) || DENIED_BY_RULE.test(start);
  });
}

/** Judged by the transcript's explicit field alone. */
export function isDenialRecorded(event: Readonly<Record<string, unknown>>): boolean {
  if (wasInterrupted(event)) return false;
  const { decision } = asObject(event["permissionDecision"]);
  return typeof event["denial"] === "string" || decision === "reject" || decision === "deny";
}

/** Its session died during it, or the user pressed Esc: nothing refused it, and its effect is unknown. */
export function wasInterrupted(event: Readonly<Record<string, unknown>>): boolean {
  return event["denial"] === "interrupted";
}

const MAX_SCANNED_CHARS = 8_000;

export const DENIED_BY_USER =
  /^(?:Permission for this tool use was denied\. The tool use was rejected\b|The user (?:doesn't want to (?:proceed|take this action)|declined this request)|User (?:rejected|denied|declined)\b)/;
/** Claude Code puts this before the reason of a hook that refused a call. */
export const HOOK_ERROR = /^PreToolUse:\S{1,300} hook error: /;
export const DENIED_BY_RULE =
  /^(?:Hookline: |PreToolUse:\S{1,300} hook error: |Permission to use .{1,4000} has been denied)|^.{1,4000} (?:needs|requires) approval\b|\bdenied by (?:a |the )?(?:rule|policy|hook|permission)|hook (?:returned a )?blocking error/;
