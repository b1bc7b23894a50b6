import type { HooklineEvent } from "../event/event.ts";
import { asObject } from "./read-json.ts";

type Ended = Pick<HooklineEvent, "payload"> & Readonly<Record<string, unknown>>;

/**
 * Whether a call did not run because a person, a rule or a program refused it. That is no failure of the call. The
 * transcript says so; the other sources have only the words that the model was told.
 */
export function isRefused(event: Ended): boolean {
  if (saysRefused(event)) return true;
  const { success, errorMessage, toolOutput, metadata } = asObject(event.payload);
  // A program that ran may print such words itself.
  if (success !== false || asObject(metadata)["exitCode"] != null) return false;
  return [errorMessage, toolOutput].some((said) => {
    const start = typeof said === "string" ? said.trimStart().slice(0, MAX_CHARS) : "";
    return REFUSED_BY_PERSON.test(start) || REFUSED_BY_RULE.test(start);
  });
}

/** By the word of the transcript alone. */
export function saysRefused(event: Readonly<Record<string, unknown>>): boolean {
  if (wasInterrupted(event)) return false;
  const { decision } = asObject(event["permissionDecision"]);
  return typeof event["denial"] === "string" || decision === "reject" || decision === "deny";
}

/** Its session died in the middle of it, or somebody pressed Esc: nobody refused it, and nobody knows what it did. */
export function wasInterrupted(event: Readonly<Record<string, unknown>>): boolean {
  return event["denial"] === "interrupted";
}

const MAX_CHARS = 8_000;

export const REFUSED_BY_PERSON =
  /^(?:Permission for this tool use was denied\. The tool use was rejected\b|The user (?:doesn't want to (?:proceed|take this action)|declined this request)|User (?:rejected|denied|declined)\b)/;
export const REFUSED_BY_RULE =
  /^(?:Hookline: |Permission to use .{1,4000} has been denied)|^.{1,4000} (?:needs|requires) approval\b|\bdenied by (?:a |the )?(?:rule|policy|hook|permission)|hook (?:returned a )?blocking error/;
