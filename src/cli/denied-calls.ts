import { asObject } from "../agents/read-json.ts";
import { canonicalJson } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";

export interface DeniedCalls {
  observe(event: HooklineEvent): void;
  /** Whether this event ends a denied call. Each denial matches one call. */
  consume(event: HooklineEvent): boolean;
}

/**
 * Calls that a person or the guard denied from here: their hooks report only a failure; the transcript, which
 * has more, comes later.
 */
export function createDeniedCalls(): DeniedCalls {
  const requests = new Map<unknown, string>();
  const denied = new Map<string, number>();
  const guarded = new Set<string>();
  return {
    observe: ({ sessionId, phase, ...event }) => {
      if (asObject(event["told"])["verdict"] === "deny" && typeof event["toolUseId"] === "string")
        guarded.add(`${sessionId} ${event["toolUseId"]}`);
      const { cardId, toolName, input, outcome } = asObject(event["card"]);
      if (phase === "asked") requests.set(cardId, keyOf(sessionId, toolName, input));
      const key = requests.get(cardId);
      if (phase !== "settled" || key === undefined) return;
      requests.delete(cardId);
      if (outcome === "deny") denied.set(key, (denied.get(key) ?? 0) + 1);
    },
    consume: ({ sessionId, payload, ...event }) => {
      if (payload?.success !== false) return false;
      if (guarded.delete(`${sessionId} ${event["toolUseId"]}`)) return true;
      const key = keyOf(sessionId, payload.toolName, payload.toolInput);
      const count = denied.get(key) ?? 0;
      if (count > 0) denied.set(key, count - 1);
      return count > 0;
    },
  };
}

function keyOf(sessionId: string, toolName: unknown, input: unknown): string {
  return `${sessionId} ${toolName} ${canonicalJson(input ?? null)}`;
}
