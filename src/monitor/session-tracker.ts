import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Position } from "../log/log.ts";
import { retryWhileBusy } from "../store/retry-while-busy.ts";
import type { WithSessionRows } from "../store/session-rows.ts";
import { createRowBuilder } from "./build-rows.ts";
import { createViewBuilder } from "./build-views.ts";
import { createEmitter } from "./emit-changes.ts";
import { createImportedSessions } from "./imported-sessions.ts";
import { WATCH_MS } from "./read-watched-session.ts";
import { createRowSaver } from "./save-rows.ts";
import { createSessionQueue } from "./session-queue.ts";
import { SessionSnapshot } from "./session-snapshot.ts";
import { createWatchedSessions, type WatchedSessions } from "./watched-sessions.ts";

/** The watched sessions beside their rows in the store: reports changes, saves them a little later. */
export interface SessionTracker {
  readonly watched: WatchedSessions;
  /**
   * Events the store has applied; a position states that the whole log up to it was passed here. Applied in
   * order, synchronously unless a view must be read; resolves when this batch is applied.
   */
  onEvents(events: readonly HooklineEvent[], next: Position | undefined): Promise<void>;
  /** An event that must not be recorded but may still end a request. In order with `onEvents`. */
  onUnrecorded(event: HooklineEvent): void;
  /** Wakes the sessions that `wanted` returns, then runs `act` in the same tick. */
  wake<T>(wanted: () => readonly string[], act: () => T): Promise<T>;
  /** Reports pending changes immediately, for a response that must not be newer than what was reported. */
  emit(): void;
  /** Saves what changed since the last save. Failures are reported and retried later. */
  save(): Promise<void>;
  /** The rows were lost with their store: saves what is watched again. */
  resaveAll(): Promise<void>;
  /** The store removed these sessions: nothing read of them before is shown or saved. */
  forget(sessionIds: readonly string[]): void;
  /** Reads the sessions deferred during an import. */
  readImported(): Promise<void>;
  /** Builds the missing rows; resolves when none are left or it is closed. */
  buildMissingRows(): Promise<void>;
  /** Applies and saves earlier events. */
  close(): Promise<void>;
}

export interface SessionTrackerOptions {
  readonly prices: UsageSource;
  readonly rows: WithSessionRows;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly onChange: (snapshot: SessionSnapshot) => void;
  /** No longer watched. */
  readonly onDrop: (sessionId: string) => void;
  readonly onError: (error: unknown) => void;
  /** Resource usage of a process, where measured. */
  readonly loadOf?: ((pid: number) => SessionSnapshot["process"]) | undefined;
  /** While an import runs, unwatched sessions are deferred until `readImported`. */
  readonly isImporting?: (() => boolean) | undefined;
}

const MAX_RESTORED = 5_000;

export async function openSessionTracker(options: SessionTrackerOptions): Promise<SessionTracker> {
  const { rows, nowMs, monotonicMs } = options;
  const watched = createWatchedSessions({
    prices: options.prices,
    nowMs,
    monotonicMs,
    loadOf: options.loadOf,
  });
  const views = createViewBuilder(watched, rows);
  const queue = createSessionQueue(views);
  let position: Position | undefined;

  await retryWhileBusy(() => rows((store) => store.resetStaleRows()));
  await restoreSessions(rows, watched, nowMs());

  const emitter = createEmitter(monotonicMs, () => {
    for (const sessionId of watched.takeChanged()) {
      saver.markChanged(sessionId);
      const snapshot = watched.snapshot(sessionId);
      // A session that ended long ago and was only reported now is not watched.
      if (snapshot !== undefined && isWatched(snapshot, nowMs())) options.onChange(snapshot);
    }
  });
  const { onDrop, onError } = options;
  const saver = createRowSaver({
    watched: watched,
    rows,
    emit: emitter.emit,
    position: () => position,
    onDrop,
    onError,
  });
  const rowBuilder = createRowBuilder({
    ...{ rows, saver, views, nowMs },
    prices: options.prices,
    onBuilt(snapshot) {
      const { sessionId } = snapshot;
      // A watched session's view is at least as new; an earlier snapshot is not.
      if (watched.has(sessionId) ? !watched.isAsleep(sessionId) : !isWatched(snapshot, nowMs())) return;
      if (watched.restore(snapshot)) options.onChange(snapshot);
    },
  });
  const imported = createImportedSessions({
    watched: watched,
    queue: queue,
    rowBuilder: rowBuilder,
    isImporting: options.isImporting,
  });

  return {
    watched: watched,
    onEvents: (events, next) =>
      queue.add({
        events,
        missingViews: (batch) => watched.missingViews(batch.filter((event) => !imported.isDeferred(event))),
        apply(batch, built) {
          for (const event of batch) {
            if (imported.isDeferred(event)) imported.defer(event.sessionId);
            else watched.apply(event, built.get(event.sessionId));
          }
          // Until the deferred sessions are read, a restart must read from before them.
          if (imported.isDone()) position = next ?? position;
          emitter.emitSoon();
        },
      }),
    onUnrecorded(event) {
      const done = queue.add({
        events: [event],
        missingViews: (events) => events.filter(watched.needsView).map(({ sessionId }) => sessionId),
        apply(events, built) {
          for (const unrecorded of events)
            watched.applyUnrecorded(unrecorded, built.get(unrecorded.sessionId));
          emitter.emitSoon();
        },
      });
      done.catch(options.onError);
    },
    wake: views.wake,
    emit: emitter.emit,
    save: saver.save,
    resaveAll() {
      // The others are built from their facts, one by one, with all that have no row.
      for (const sessionId of watched.ids()) if (!watched.isAsleep(sessionId)) saver.markChanged(sessionId);
      saver.storeReplaced();
      return saver.save();
    },
    forget(sessionIds) {
      views.noteErasure();
      queue.forget(new Set(sessionIds));
      for (const sessionId of sessionIds) {
        watched.forget(sessionId);
        saver.forget(sessionId);
        options.onDrop(sessionId);
      }
    },
    readImported: imported.readDeferred,
    buildMissingRows: rowBuilder.buildMissing,
    async close() {
      emitter.stop();
      imported.close();
      await queue.idle();
      emitter.cancel();
      await rowBuilder.close();
      await saver.close();
    },
  };
}

export function isWatched(snapshot: SessionSnapshot, nowMs: number): boolean {
  const isOver = snapshot.state === "completed" || snapshot.state === "lost";
  return !isOver || nowMs - Date.parse(snapshot.lastEventAtIso) < WATCH_MS;
}

/** Sessions that were running when last saved, and those of the last day. */
async function restoreSessions(
  rows: WithSessionRows,
  watched: WatchedSessions,
  nowMs: number,
): Promise<void> {
  const sinceIso = new Date(nowMs - WATCH_MS).toISOString();
  const restored = [
    ...(await rows((store) => store.sessionRows({ sinceIso, limit: MAX_RESTORED }))),
    ...(await rows((store) => store.sessionRows({ states: ["active", "idle"], limit: MAX_RESTORED }))),
  ];
  for (const json of restored) {
    const snapshot = parseSnapshot(json);
    if (snapshot !== null) watched.restore(snapshot);
  }
}

/** Null for a row of another version, which is rebuilt at the session's next event. */
export function parseSnapshot(json: string): SessionSnapshot | null {
  // Older versions wrote none of these.
  const defaults = { driven: false, requests: [], stoppedMs: 0 };
  const parsed = SessionSnapshot.safeParse({ ...defaults, ...(JSON.parse(json) as object) });
  return parsed.success ? parsed.data : null;
}
