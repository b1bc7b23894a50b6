import type { HooklineEvent } from "../event/event.ts";

/** What the person asked for in a turn; null where a machine began it. */
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
