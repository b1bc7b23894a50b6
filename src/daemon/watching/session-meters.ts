import type { UsageSource } from "../../agents/usage-source.ts";
import { isSampleSession } from "../../event/sample.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { createUsageMeter, type UsageMeter } from "../../monitor/usage-meter.ts";
import { createMeters, type Meters } from "../../serve/meters.ts";
import type { AppliedListener } from "../../store/applied-batches.ts";

/** Metrics for `/metrics`, counted as events happen. */
export interface SessionMeters {
  readonly usage: Pick<UsageMeter, "read">;
  readonly durations: Pick<Meters, "read">;
  readonly applied: AppliedListener;
  changed(snapshot: SessionSnapshot): void;
  drop(sessionId: string): void;
}

export function createSessionMeters(prices: UsageSource, nowMs: () => number): SessionMeters {
  const durations = createMeters();
  const usage = createUsageMeter(prices);
  const waiting = new Map<string, SessionSnapshot["requests"]>();
  return {
    usage,
    durations,
    applied({ events }) {
      for (const event of events) {
        if (isSampleSession(event.sessionId)) continue;
        usage.count(event);
        const { toolName, durationMs } = event.payload ?? {};
        if (event.eventType === "tool_observation" && event.origin === "hook" && durationMs != null)
          durations.toolEnded(toolName ?? "unknown", durationMs);
      }
    },
    changed({ sessionId, requests }) {
      for (const previous of waiting.get(sessionId) ?? [])
        if (!requests.some(({ requestId }) => requestId === previous.requestId))
          durations.waitEnded(previous.kind, nowMs() - Date.parse(previous.sinceIso));
      if (requests.length === 0) waiting.delete(sessionId);
      else waiting.set(sessionId, requests);
    },
    drop: (sessionId) => void waiting.delete(sessionId),
  };
}
