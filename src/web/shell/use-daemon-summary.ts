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
/** While the user is asked to do something, so that the prompt disappears soon after. */
const SOON_MS = 3_000;
/** A day's cost is slow to compute: in between, the sessions' later cost is added. */
const COST_MS = 300_000;

export function useDaemonSummary({ sessions }: Pick<Live, "sessions">): DaemonSummary {
  const [asked, setAsked] = useState<{ readonly cost: Cost; readonly micros: number } | null>(null);
  const [status, setStatus] = useState<Pick<DaemonStatus, "lagMs" | "limits"> | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let soon: ReturnType<typeof setTimeout> | undefined;
    const ask = <T>(path: string, take: (answer: T) => void): void => {
      if (!document.hidden && live.get().connection !== "lost")
        void get<T>(path, stop.signal).then(take, () => undefined);
    };
    const askStatus = (): void =>
      ask<DaemonStatus>("/api/status", (status) => {
        setStatus(status);
        daemonStatus.set(status);
        clearTimeout(soon);
        if (status.hooksInstalled === false || status.pauses.length > 0)
          soon = setTimeout(askStatus, SOON_MS);
        approvalsEnabled.set(status.steering?.approve ?? null);
      });
    const askCost = (): void => {
      const midnight = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
      ask<AwayReport>(`/api/away?since=${midnight}`, ({ cost }) =>
        setAsked({ cost, micros: sumOf(live.get().sessions) }),
      );
    };
    askStatus();
    // What the page needs first goes first.
    const first = setTimeout(askCost, 300);
    const timers = [setInterval(askStatus, STATUS_MS), setInterval(askCost, COST_MS)];
    return () => {
      stop.abort();
      clearTimeout(first);
      clearTimeout(soon);
      for (const timer of timers) clearInterval(timer);
    };
  }, []);
  const known = { lagMs: status?.lagMs ?? null, limits: status?.limits ?? null };
  if (asked === null) return { today: null, ...known };
  const since = sumOf(sessions) - asked.micros;
  const { cost } = asked;
  const micros = cost.micros === null && since <= 0 ? null : (cost.micros ?? 0) + Math.max(0, since);
  return { today: { ...cost, micros }, ...known };
}

function sumOf(sessions: Live["sessions"]): number {
  let micros = 0;
  for (const { sessionId, cost } of sessions.values())
    if (!isSampleSession(sessionId)) micros += cost.micros ?? 0;
  return micros;
}
