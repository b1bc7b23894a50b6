import type { HooklineEvent } from "../event/event.ts";
import { rowId } from "../event/ids.ts";
import { commandKeys } from "./compress/command-key.ts";
import { commandOutcome, toShellRun } from "./compress/command-outcome.ts";
import { commandOf } from "./inject/open-failures.ts";
import { toSafeLine } from "./inject/safe-line.ts";
import type { MemoryItem } from "./memory-item.ts";

export interface FeedbackInput {
  /** A `tool_observation` as accepted: secrets are masked. */
  readonly event: HooklineEvent;
  /** Earlier events of the session, in any order. */
  readonly session: readonly HooklineEvent[];
  /** Items of other sessions in the project, in any order. */
  readonly items: readonly MemoryItem[];
}

/**
 * What an agent should know about a call that just ended, using only its own words for the call and ours: no
 * other recorded text. Null when there is nothing. Pure.
 */
export function toolFeedback(input: FeedbackInput): string | null {
  const sentences = [aboutSecrets(input.event), aboutFailure(input)].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(" ");
}

function aboutSecrets({ payload }: HooklineEvent): string | null {
  const kinds = new Set<string>();
  for (const [, kind] of (payload?.toolOutput ?? "").matchAll(/\[REDACTED:([a-z0-9-]{1,40})\]/g))
    kinds.add(kind!);
  if (kinds.size === 0) return null;
  return `The output contains what looks like a secret (${[...kinds].slice(0, 3).join(", ")}): do not repeat or commit it.`;
}

interface Run {
  readonly key: string;
  readonly hasFailed: boolean;
  readonly atIso: string;
}

function aboutFailure({ event, session, items }: FeedbackInput): string | null {
  const currentRun = runOf(event);
  if (currentRun === null || !currentRun.hasFailed) return null;
  const runs = [
    ...session.filter(({ id }) => id !== event.id).map(runOf),
    ...items
      .filter(
        ({ id, sessionId }) => sessionId !== event.sessionId && id !== rowId("observation", event.toolUseId!),
      )
      .map(itemRun),
  ]
    .filter((run) => run !== null && run.key === currentRun.key && run.atIso <= currentRun.atIso)
    .sort((a, b) => (a!.atIso < b!.atIso ? 1 : -1)) as Run[];
  const lastSuccess = runs.findIndex(({ hasFailed }) => !hasFailed);
  const failures = lastSuccess < 0 ? runs.length : lastSuccess;
  const passedAt = lastSuccess < 0 ? null : runs[lastSuccess]!.atIso.slice(0, 16).replace("T", " ");
  if (failures === 0 && passedAt === null) return null;
  const name = `\`${toSafeLine(currentRun.key, 80).replaceAll("`", "'")}\``;
  const last = passedAt === null ? "" : ` It last succeeded at ${passedAt} UTC.`;
  return failures === 0
    ? `${name} failed.${last}`
    : `${name} has now failed ${failures + 1} times in a row.${last}`;
}

/** Returns null for what ran no command, or was not allowed to run. */
function runOf({ eventType, payload, occurredAtIso, ...event }: HooklineEvent): Run | null {
  const command = payload?.metadata?.command;
  if (eventType !== "tool_observation" || typeof command !== "string" || event["denial"] != null) return null;
  if (typeof payload?.success !== "boolean") return null;
  const { line } = commandOutcome(toShellRun(payload));
  if (line === "unknown") return null;
  return { key: keyOf(command), hasFailed: line === "failed", atIso: occurredAtIso };
}

function itemRun({ content, success, createdAtIso }: MemoryItem): Run | null {
  const command = commandOf(content);
  if (command === null || success === null) return null;
  return { key: keyOf(command), hasFailed: content.type === "failure", atIso: createdAtIso };
}

function keyOf(command: string): string {
  return commandKeys(command).all.join(" && ");
}
