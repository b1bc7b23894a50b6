import { readFileSync } from "node:fs";
import { isSampleSession } from "../../event/sample.ts";
import { writeAtomically } from "../../files/atomic-file.ts";
import type { Home } from "../../home.ts";
import { queryAwayReport, queryUsageWithWaits, queryWaitTotals } from "../../monitor/query-away-report.ts";
import { querySession, querySessions } from "../../monitor/query-sessions.ts";
import type { SessionTracker } from "../../monitor/session-tracker.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import { memoryByKind } from "../../serve/meters.ts";
import type { MetricsInput } from "../../serve/metrics.ts";
import type { SessionStream } from "../../serve/session-stream.ts";
import { UsageReport } from "../../serve/usage-contract.ts";
import type { WatchPorts } from "../../serve/watch-ports.ts";
import type { WithSessionRows } from "../../store/session-rows.ts";
import type { Base } from "../base.ts";
import type { SessionMeters } from "./session-meters.ts";

export interface MonitorParts {
  readonly sessions: SessionTracker;
  readonly rows: WithSessionRows;
  readonly stream: SessionStream;
  readonly meters: SessionMeters;
}

/** Ports for the routes about sessions. */
export function createMonitorPorts(
  { home, nowMs }: Base,
  { sessions, rows, stream }: MonitorParts,
): Omit<WatchPorts, "metrics"> {
  const { watched: book } = sessions;
  const nowIso = (): string => new Date(nowMs()).toISOString();
  return {
    stream,
    sessions: (query) =>
      querySessions(book, rows, query, (snapshots) => {
        // The stream must have published whatever a response shows.
        sessions.emit();
        for (const snapshot of snapshots) stream.publish(snapshot);
      }),
    session: (idOrPrefix) => querySession(book, rows, idOrPrefix, nowMs()),
    waits: (query) => queryWaitTotals(sessions, rows, query, nowIso()),
    away: (sinceIso) => {
      const untilMs = nowMs();
      return queryAwayReport(
        sessions,
        rows,
        sinceIso ?? readLastVisit(home, untilMs),
        new Date(untilMs).toISOString(),
      );
    },
    usage: async (query) => UsageReport.parse(await queryUsageWithWaits(sessions, rows, query, nowIso())),
    seen: (atIso) => writeAtomically(home.lastSeen, `${JSON.stringify({ atIso })}\n`),
  };
}

export function readMetrics({ sessions, stream, meters }: MonitorParts, status: DaemonStatus): MetricsInput {
  const { version, lagMs, spoolDepth, events, quarantined, refused } = status;
  return {
    ...meters.durations.read(),
    version,
    lagMs,
    spoolDepth,
    events,
    quarantined,
    refused,
    sessions: sessions.watched.snapshots().filter(({ sessionId }) => !isSampleSession(sessionId)),
    usage: meters.usage.read(),
    stream: stream.stats(),
    memory: memoryByKind(),
  };
}

/** Defaults to a day ago for a user who never visited. */
function readLastVisit(home: Home, nowMs: number): string {
  try {
    const { atIso } = JSON.parse(readFileSync(home.lastSeen, "utf8")) as { atIso?: unknown };
    if (typeof atIso === "string" && !Number.isNaN(Date.parse(atIso))) return atIso;
  } catch {
    // Not written yet.
  }
  return new Date(nowMs - 24 * 3_600_000).toISOString();
}
