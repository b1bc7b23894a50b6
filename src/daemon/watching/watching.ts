import { createListeners } from "../../listeners.ts";
import { feedSessionTracker } from "../../monitor/feed-session-tracker.ts";
import { findSessionIds } from "../../monitor/query-sessions.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { openSessionTracker, type SessionTracker } from "../../monitor/session-tracker.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { MetricsInput } from "../../serve/metrics.ts";
import { createSessionStream } from "../../serve/session-stream.ts";
import type { WatchPorts } from "../../serve/watch-ports.ts";
import type { WithSessionRows } from "../../store/session-rows.ts";
import type { Base } from "../base.ts";
import type { LongWork } from "../long-work.ts";
import type { Recording } from "../recording.ts";
import { openLiveTranscripts } from "./live-transcripts.ts";
import { createMonitorPorts, type MonitorParts, readMetrics } from "./monitor-ports.ts";
import { openProcessLoads } from "./process-loads.ts";
import { createSessionMeters } from "./session-meters.ts";
import { startEvidence } from "./start-evidence.ts";

/** The live side of the daemon: monitor, transcripts, registry and stream, wired together. */
export interface Monitor {
  readonly ports: Omit<WatchPorts, "metrics">;
  metrics(status: DaemonStatus): MetricsInput;
  /** Called for every visible change. */
  onChange(listener: (snapshot: SessionSnapshot) => void): void;
  /** Ingests the transcripts of running sessions. */
  flush(): Promise<void>;
  /** Called when the database was rebuilt. */
  reload(): void;
  forget(sessionIds: readonly string[]): void;
  snapshot(sessionId: string): SessionSnapshot | undefined;
  /** Sessions that wait for a person now. */
  waiting(): readonly SessionSnapshot[];
  /** Sessions whose ids start with this prefix. */
  sessionIds(prefix: string): Promise<readonly string[]>;
}

type ReportError = (what: string) => (error: unknown) => void;

export async function startMonitor(base: Base, recording: Recording, long: LongWork): Promise<Monitor> {
  const { agents, config, scope, nowMs, notice } = base;
  const { liveStore } = recording;
  const reportError: ReportError = (what) => (error) => notice(`${what}: ${(error as Error).message}`);
  const rows: WithSessionRows = (work) => liveStore.use((store) => work(store.sessions));
  const stream = createSessionStream({ epoch: Date.now().toString(36), nowMs });
  const meters = createSessionMeters(agents.usage, nowMs);
  const loads = openProcessLoads(config.processLoad);
  const changes = createListeners<[SessionSnapshot]>();
  const dropped = createListeners<[sessionId: string]>();
  const sessions = await openSessionTracker({
    prices: agents.usage,
    rows,
    nowMs,
    monotonicMs: () => performance.now(),
    onChange: changes.emit,
    onDrop: dropped.emit,
    onError: reportError("saving session views failed"),
    isImporting: () => long.isImporting(),
    loadOf: loads.of,
  });
  const transcripts = openLiveTranscripts(base, recording, rows, reportError);
  const parts: MonitorParts = { sessions, rows, stream, meters };
  const evidence = startEvidence(base, recording, { ...parts, transcripts, loads, onError: reportError });
  for (const listener of [meters.changed, stream.publish, evidence.changed]) changes.add(listener);
  for (const listener of [stream.drop, evidence.drop, meters.drop]) dropped.add(listener);
  for (const snapshot of sessions.watched.snapshots()) {
    if (snapshot.endedAtIso === null) changes.emit(snapshot);
    else stream.publish(snapshot);
  }
  listen(recording, long, parts, reportError);
  scope.defer(async () => {
    await evidence.close();
    // Ingest the transcripts up to now, including those of sessions that have just ended.
    sessions.emit();
    await transcripts.close();
    await sessions.close();
    await stream.close();
  });
  return {
    ports: createMonitorPorts(base, parts),
    metrics: (status) => readMetrics(parts, status),
    onChange: changes.add,
    flush: transcripts.flush,
    reload: () => reloadSessions(sessions, reportError),
    ...readWatched(sessions),
    sessionIds: (prefix) => findSessionIds(sessions.watched, rows, prefix),
  };
}

/** Connects the sessions to events of the other parts. */
function listen(
  recording: Recording,
  long: LongWork,
  { sessions, meters }: MonitorParts,
  reportError: ReportError,
) {
  const { applied, liveStore, log, unrecorded } = recording;
  applied.add(meters.applied);
  applied.add(
    feedSessionTracker(sessions, {
      log,
      savedPosition: () => liveStore.use((store) => store.sessions.monitorPosition()),
      onError: reportError("reading the log for the monitor failed"),
    }),
  );
  unrecorded.add(sessions.onUnrecorded);
  long.onImported(() => void sessions.readImported().catch(reportError("reading imported sessions failed")));
  long.onRebuilt(() => reloadSessions(sessions, reportError));
}

function reloadSessions(sessions: SessionTracker, reportError: ReportError): void {
  sessions
    .resaveAll()
    .then(() => sessions.buildMissingRows())
    .catch(reportError("listing sessions failed"));
}

function readWatched(sessions: SessionTracker): Pick<Monitor, "forget" | "snapshot" | "waiting"> {
  const { watched } = sessions;
  return {
    forget: (sessionIds) => sessions.forget(sessionIds),
    snapshot(sessionId) {
      sessions.emit();
      return watched.snapshot(sessionId);
    },
    waiting() {
      sessions.emit();
      return watched.snapshots().filter(({ needsPerson }) => needsPerson);
    },
  };
}
