import type { HooklineEvent } from "../event/event.ts";

/** The user's request in a turn; null where a machine started it. */
export function promptOf(facts: readonly HooklineEvent[]): string | null {
  const start = facts.find(
    ({ eventType, agentId, ...fact }) =>
      eventType === "turn.start" && agentId == null && fact["machine"] !== true,
  );
  return textOf(start?.["prompt"]);
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
