import type { HooklineEvent } from "../event/event.ts";
import { isSampleSession } from "../event/sample.ts";

type AppliedEvent = Pick<HooklineEvent, "sessionId" | "origin" | "occurredAtIso">;

const MAX_SESSIONS = 10_000;

/**
 * Time from the last live event to its row in the database; null before the first one. Transcript and
 * registry events from before their session was first seen are history that was read late, not lag.
 */
export function createLagMeter(nowMs: () => number): {
  applied(events: readonly AppliedEvent[]): void;
  lagMs(): number | null;
} {
  const seenAtMs = new Map<string, number>();
  let lagMs: number | null = null;
  const isLive = ({ sessionId, origin, occurredAtIso }: AppliedEvent): boolean =>
    !isSampleSession(sessionId) &&
    (origin === "hook" || Date.parse(occurredAtIso) >= (seenAtMs.get(sessionId) ?? Number.POSITIVE_INFINITY));
  return {
    applied(events) {
      const now = nowMs();
      const last = events.findLast(isLive);
      if (last !== undefined) lagMs = Math.max(0, now - Date.parse(last.occurredAtIso));
      for (const { sessionId } of events) if (!seenAtMs.has(sessionId)) seenAtMs.set(sessionId, now);
      for (const oldest of seenAtMs.keys()) {
        if (seenAtMs.size <= MAX_SESSIONS) break;
        seenAtMs.delete(oldest);
      }
    },
    lagMs: () => lagMs,
  };
}
