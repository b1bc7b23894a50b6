import type { HooklineEvent } from "../event/event.ts";

/** What the person asked for in a turn. */
export function promptOf(facts: readonly HooklineEvent[]): string | null {
  return textOf(
    facts.find(({ eventType, agentId }) => eventType === "turn.start" && agentId == null)?.["prompt"],
  );
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
