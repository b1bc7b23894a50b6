import { useEffect, useState } from "react";
import { isSampleSession } from "../../event/sample.ts";
import type { AwayReport, DaemonStatus } from "../../serve/contract.ts";
import { get } from "../api/client.ts";
import { type Live, live } from "../api/live.ts";
import { createStore } from "../api/store.ts";

type Cost = AwayReport["cost"];
type Limits = DaemonStatus["limits"];

/** Whether requests of terminals can be answered from here; null until it is known. */
export const approvalsEnabled = createStore<boolean | null>(null);

/** The daemon's last status report; null until there is one. */
export const daemonStatus = createStore<DaemonStatus | null>(null);

/** Data that is not in the stream. */
export interface DaemonSummary {
  /** Today's cost up to now. */
  readonly today: Cost | null;
  readonly lagMs: number | null;
  readonly limits: Limits | null;
}

const STATUS_MS = 10_000;
/** Used while a note asks the user to act, so it disappears soon after. */
const SHORT_STATUS_MS = 3_000;
/** A day's cost is slow to compute, so in between only the sessions' later cost is added. */
const COST_MS = 300_000;

export function useDaemonSummary({ sessions }: Pick<Live, "sessions">): DaemonSummary {
  const [base, setBase] = useState<{ readonly cost: Cost; readonly micros: number } | null>(null);
  const [status, setStatus] = useState<Pick<DaemonStatus, "lagMs" | "limits"> | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let soonTimer: ReturnType<typeof setTimeout> | undefined;
    const fetchJson = <T>(path: string, onValue: (value: T) => void): void => {
      if (!document.hidden && live.get().connection !== "lost")
        void get<T>(path, controller.signal).then(onValue, () => undefined);
    };
    const fetchStatus = (): void =>
      fetchJson<DaemonStatus>("/api/status", (status) => {
        setStatus(status);
        daemonStatus.set(status);
        clearTimeout(soonTimer);
        if (status.hooksInstalled === false || status.pauses.length > 0)
          soonTimer = setTimeout(fetchStatus, SHORT_STATUS_MS);
        approvalsEnabled.set(status.steering?.approve ?? null);
      });
    const fetchCost = (): void => {
      const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
      fetchJson<AwayReport>(`/api/away?since=${midnight}`, ({ cost }) =>
        setBase({ cost, micros: sumCost(live.get().sessions) }),
      );
    };
    fetchStatus();
    // Delayed, so the page's own requests go first.
    const firstTimer = setTimeout(fetchCost, 300);
    const timers = [setInterval(fetchStatus, STATUS_MS), setInterval(fetchCost, COST_MS)];
    return () => {
      controller.abort();
      clearTimeout(firstTimer);
      clearTimeout(soonTimer);
      for (const timer of timers) clearInterval(timer);
    };
  }, []);
  const statusPart = { lagMs: status?.lagMs ?? null, limits: status?.limits ?? null };
  if (base === null) return { today: null, ...statusPart };
  const addedMicros = sumCost(sessions) - base.micros;
  const { cost } = base;
  const micros =
    cost.micros === null && addedMicros <= 0 ? null : (cost.micros ?? 0) + Math.max(0, addedMicros);
  return { today: { ...cost, micros }, ...statusPart };
}

function sumCost(sessions: Live["sessions"]): number {
  let micros = 0;
  for (const { sessionId, cost } of sessions.values())
    if (!isSampleSession(sessionId)) micros += cost.micros ?? 0;
  return micros;
}
