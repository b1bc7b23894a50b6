import { readFileSync } from "node:fs";
import { isSampleSession } from "../../event/sample.ts";
import { writeAtomically } from "../../files/atomic-file.ts";
import type { Home } from "../../home.ts";
import { askAway, askUsed, askWaits } from "../../monitor/ask-away.ts";
import { askSession, askSessions } from "../../monitor/ask-sessions.ts";
import type { SessionKeeper } from "../../monitor/keep-sessions.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import { memoryByKind } from "../../serve/meters.ts";
import type { MetricsInput } from "../../serve/metrics.ts";
import type { SessionStream } from "../../serve/session-stream.ts";
import { UsageReport } from "../../serve/usage-contract.ts";
import type { WatchPorts } from "../../serve/watch-ports.ts";
import type { AskSessionRows } from "../../store/session-rows.ts";
import type { Base } from "../base.ts";
import type { SessionMeters } from "./meter-sessions.ts";

export interface WatchParts {
  readonly sessions: SessionKeeper;
  readonly rows: AskSessionRows;
  readonly stream: SessionStream;
  readonly meters: SessionMeters;
}

/** What the routes about sessions ask. */
export function openWatchPorts(
  { home, nowMs }: Base,
  { sessions, rows, stream }: WatchParts,
): Omit<WatchPorts, "metrics"> {
  const { book } = sessions;
  const nowIso = (): string => new Date(nowMs()).toISOString();
  return {
    stream,
    sessions: (query) =>
      askSessions(book, rows, query, (watched) => {
        // What an answer shows, the stream must have been told.
        sessions.emit();
        for (const snapshot of watched) stream.publish(snapshot);
      }),
    session: (idOrPrefix) => askSession(book, rows, idOrPrefix, nowMs()),
    waits: (query) => askWaits(sessions, rows, query, nowIso()),
    away: (sinceIso) => {
      const untilMs = nowMs();
      return askAway(sessions, rows, sinceIso ?? lastSeen(home, untilMs), new Date(untilMs).toISOString());
    },
    usage: async (query) => UsageReport.parse(await askUsed(sessions, rows, query, nowIso())),
    seen: (atIso) => writeAtomically(home.seen, `${JSON.stringify({ atIso })}\n`),
  };
}

export function readMetrics({ sessions, stream, meters }: WatchParts, status: DaemonStatus): MetricsInput {
  const { version, lagMs, spoolDepth, events, quarantined, refused } = status;
  return {
    ...meters.durations.read(),
    version,
    lagMs,
    spoolDepth,
    events,
    quarantined,
    refused,
    sessions: sessions.book.snapshots().filter(({ sessionId }) => !isSampleSession(sessionId)),
    usage: meters.usage.read(),
    stream: stream.stats(),
    memory: memoryByKind(),
  };
}

/** A day ago, for somebody who never looked. */
function lastSeen(home: Home, nowMs: number): string {
  try {
    const { atIso } = JSON.parse(readFileSync(home.seen, "utf8")) as { atIso?: unknown };
    if (typeof atIso === "string" && !Number.isNaN(Date.parse(atIso))) return atIso;
  } catch {
    // Not written yet.
  }
  return new Date(nowMs - 24 * 3_600_000).toISOString();
}
