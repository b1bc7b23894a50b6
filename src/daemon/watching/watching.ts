import { createListeners } from "../../listeners.ts";
import { findIds } from "../../monitor/ask-sessions.ts";
import { keepSessions, type SessionKeeper } from "../../monitor/keep-sessions.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { tellSessions } from "../../monitor/tell-sessions.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { MetricsInput } from "../../serve/metrics.ts";
import { createSessionStream } from "../../serve/session-stream.ts";
import type { WatchPorts } from "../../serve/watch-ports.ts";
import type { AskSessionRows } from "../../store/session-rows.ts";
import type { Base } from "../base.ts";
import type { LongWork } from "../long-work.ts";
import type { Recording } from "../recording.ts";
import { openLiveTranscripts } from "./live-transcripts.ts";
import { createSessionMeters } from "./meter-sessions.ts";
import { openProcessLoads } from "./process-loads.ts";
import { startEvidence } from "./start-evidence.ts";
import { openWatchPorts, readMetrics, type WatchParts } from "./watch-ports.ts";

/** The live side of the daemon: monitor, transcripts, registry and stream, joined. */
export interface Watch {
  readonly ports: Omit<WatchPorts, "metrics">;
  metrics(status: DaemonStatus): MetricsInput;
  /** Told of every change that is shown. */
  onChange(listener: (snapshot: SessionSnapshot) => void): void;
  /** Takes what the transcripts of running sessions have. */
  flush(): Promise<void>;
  /** The database was made again. */
  again(): void;
  forget(sessionIds: readonly string[]): void;
  snapshot(sessionId: string): SessionSnapshot | undefined;
  /** Those that wait for a person now. */
  waiting(): readonly SessionSnapshot[];
  /** Sessions whose ids begin so. */
  sessionIds(prefix: string): Promise<readonly string[]>;
}

type Trouble = (what: string) => (error: unknown) => void;

export async function startWatch(base: Base, recording: Recording, long: LongWork): Promise<Watch> {
  const { agents, config, scope, nowMs, notice } = base;
  const { keeper } = recording;
  const trouble: Trouble = (what) => (error) => notice(`${what}: ${(error as Error).message}`);
  const rows: AskSessionRows = (work) => keeper.use((store) => work(store.sessions));
  const stream = createSessionStream({ epoch: Date.now().toString(36), nowMs });
  const meters = createSessionMeters(agents.usage, nowMs);
  const loads = openProcessLoads(config.processLoad);
  const changes = createListeners<[SessionSnapshot]>();
  const dropped = createListeners<[sessionId: string]>();
  const sessions = await keepSessions({
    prices: agents.usage,
    rows,
    nowMs,
    monotonicMs: () => performance.now(),
    onChange: changes.tell,
    onDrop: dropped.tell,
    onTrouble: trouble("saving what is known of sessions failed"),
    isImporting: () => long.isImporting(),
    loadOf: loads.of,
  });
  const transcripts = openLiveTranscripts(base, recording, rows, trouble);
  const parts: WatchParts = { sessions, rows, stream, meters };
  const evidence = startEvidence(base, recording, { ...parts, transcripts, loads, trouble });
  for (const listener of [meters.changed, stream.publish, evidence.changed]) changes.add(listener);
  for (const listener of [stream.drop, evidence.drop, meters.drop]) dropped.add(listener);
  for (const snapshot of sessions.book.snapshots()) {
    if (snapshot.endedAtIso === null) changes.tell(snapshot);
    else stream.publish(snapshot);
  }
  listen(recording, long, parts, trouble);
  scope.defer(async () => {
    await evidence.close();
    // What the transcripts have by now is taken, also of sessions that ended a moment ago.
    sessions.emit();
    await transcripts.close();
    await sessions.close();
    await stream.close();
  });
  return {
    ports: openWatchPorts(base, parts),
    metrics: (status) => readMetrics(parts, status),
    onChange: changes.add,
    flush: transcripts.flush,
    again: () => listAgain(sessions, trouble),
    ...askBook(sessions),
    sessionIds: (prefix) => findIds(sessions.book, rows, prefix),
  };
}

/** What the sessions hear of the rest. */
function listen(recording: Recording, long: LongWork, { sessions, meters }: WatchParts, trouble: Trouble) {
  const { applied, keeper, log, unrecorded } = recording;
  applied.add(meters.applied);
  applied.add(
    tellSessions(sessions, {
      log,
      savedPosition: () => keeper.use((store) => store.sessions.monitorPosition()),
      onTrouble: trouble("reading the log for the monitor failed"),
    }),
  );
  unrecorded.add(sessions.unrecorded);
  long.onImported(() => void sessions.readImported().catch(trouble("reading imported sessions failed")));
  long.onRebuilt(() => listAgain(sessions, trouble));
}

function listAgain(sessions: SessionKeeper, trouble: Trouble): void {
  sessions
    .again()
    .then(() => sessions.fill())
    .catch(trouble("listing sessions failed"));
}

function askBook(sessions: SessionKeeper): Pick<Watch, "forget" | "snapshot" | "waiting"> {
  const { book } = sessions;
  return {
    forget: (sessionIds) => sessions.forget(sessionIds),
    snapshot(sessionId) {
      sessions.emit();
      return book.snapshot(sessionId);
    },
    waiting() {
      sessions.emit();
      return book.snapshots().filter(({ needsPerson }) => needsPerson);
    },
  };
}
