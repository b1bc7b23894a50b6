import { asObject } from "../agents/read-json.ts";
import type { HooklineEvent } from "../event/event.ts";

export interface DeniedCalls {
  note(event: HooklineEvent): void;
  has(event: HooklineEvent): boolean;
}

/**
 * Calls that were denied from here with a reason. Their hook reports only that reason, as an error; the transcript,
 * which knows better, comes later.
 */
export function createDeniedCalls(): DeniedCalls {
  const reasons = new Set<string>();
  return {
    note: ({ sessionId, ...event }) => {
      const { outcome, message } = asObject(event["card"]);
      if (outcome === "deny" && typeof message === "string" && message.trim() !== "")
        reasons.add(keyOf(sessionId, message));
    },
    has: ({ sessionId, payload }) => {
      const { success, errorMessage } = payload ?? {};
      if (success !== false || typeof errorMessage !== "string") return false;
      return reasons.has(keyOf(sessionId, errorMessage));
    },
  };
}

function keyOf(sessionId: string, reason: string): string {
  return `${sessionId} ${reason.trim()}`;
}
