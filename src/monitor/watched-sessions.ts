import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { isControlEvent, isMemoryEvent, UNKNOWN_SESSION } from "../event/event.ts";
import { isFoldedPhase } from "./fold-control.ts";
import { foldUnrecorded } from "./fold-unrecorded.ts";
import {
  readExpired,
  readWatchedSession,
  trimWatchedSession,
  type WatchedSessionOptions,
} from "./read-watched-session.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createSessionView, type SessionView } from "./session-view.ts";
import {
  adoptView,
  applyToWatchedSession,
  createWatchedSession,
  momentOf,
  restoreWatchedSession,
  type WatchedSession,
} from "./watched-session.ts";

/**
 * The watched sessions: those that run, and those that ended within the last day. A session's view is built
 * from its recorded events when needed; until then its last snapshot stands in for it. It does no I/O itself:
 * its owner asks which views are missing and provides them.
 */
export interface WatchedSessions {
  readonly prices: UsageSource;
  /**
   * Adds a snapshot from an earlier daemon run, or one built from all recorded events. False if it is
   * ignored.
   */
  restore(snapshot: SessionSnapshot): boolean;
  /**
   * `made` is the view of its recorded events, used if the session has no view; without either it starts
   * empty.
   */
  apply(event: HooklineEvent, built?: SessionView): void;
  /** Sessions of these events that have no view yet. */
  missingViews(events: readonly HooklineEvent[]): string[];
  /** An event that must not be recorded but may still end a request. `made` as for `apply`. */
  applyUnrecorded(event: HooklineEvent, built?: SessionView): void;
  /** Whether `unrecorded` needs a view that is missing. */
  needsView(unrecorded: HooklineEvent): boolean;
  /** Undefined for a session that is not watched or is asleep. */
  view(sessionId: string): SessionView | undefined;
  /** Whether it is watched without a view. */
  isAsleep(sessionId: string): boolean;
  /** Provides the view of a sleeping session. No effect if it is awake or no longer watched. */
  wake(sessionId: string, built: SessionView): void;
  /** The snapshot at this moment; undefined for a session that is not watched. */
  snapshot(sessionId: string): SessionSnapshot | undefined;
  snapshots(): SessionSnapshot[];
  /** The snapshots as last read, for fields that do not change with time. */
  lastSnapshots(): SessionSnapshot[];
  has(sessionId: string): boolean;
  ids(): IterableIterator<string>;
  moment(sessionId: string): Moment;
  /** Sessions with events since the last call. */
  takeChanged(): string[];
  /** Sessions that ended long ago, as they are now. */
  expired(): SessionSnapshot[];
  /** Drops expired sessions (only those in `saved`, if given) and unused views. Returns the dropped ones. */
  prune(saved?: ReadonlySet<string>): SessionSnapshot[];
  forget(sessionId: string): void;
}

export interface WatchedSessionsOptions extends WatchedSessionOptions {
  readonly prices: UsageSource;
}

export function createWatchedSessions(options: WatchedSessionsOptions): WatchedSessions {
  const { prices, monotonicMs } = options;
  const entries = new Map<string, WatchedSession>();
  const changed = new Set<string>();
  const read = (entry: WatchedSession | undefined): SessionSnapshot | null =>
    entry === undefined ? null : readWatchedSession(entry, options);
  const isFolded = (event: HooklineEvent): boolean => isFoldable(event, entries.has(event.sessionId));
  /** Unrecorded events only affect a session that waits for a person. */
  const isWaiting = (entry: WatchedSession): boolean => (read(entry)?.requests.length ?? 0) > 0;
  const forget = (sessionId: string): void => {
    entries.delete(sessionId);
    changed.delete(sessionId);
  };

  return {
    prices,
    restore(snapshot) {
      const previous = entries.get(snapshot.sessionId);
      // The recorded events lack the unrecorded ends that it knows.
      if (previous !== undefined && previous.unrecordedEnds !== null) return false;
      entries.set(snapshot.sessionId, restoreWatchedSession(snapshot, options, previous));
      return true;
    },
    apply(event, built) {
      if (!isFolded(event)) return;
      const { sessionId } = event;
      const entry = entries.get(sessionId) ?? createWatchedSession();
      entries.set(sessionId, entry);
      applyToWatchedSession(
        entry,
        event,
        entry.view ?? built ?? createSessionView(sessionId, prices),
        options,
      );
      changed.add(sessionId);
    },
    missingViews(events) {
      const lacksView = ({ sessionId }: HooklineEvent): boolean =>
        (entries.get(sessionId)?.view ?? null) === null;
      const ids = events
        .filter((event) => isFolded(event) && lacksView(event))
        .map(({ sessionId }) => sessionId);
      return [...new Set(ids)];
    },
    applyUnrecorded(event, built) {
      const entry = entries.get(event.sessionId);
      if (entry === undefined || !isWaiting(entry)) return;
      const ends = entry.unrecordedEnds ?? { ended: new Map(), status: null };
      const view = entry.view ?? built ?? createSessionView(event.sessionId, prices);
      foldUnrecorded(adoptView(entry, view, options), event, ends);
      entry.unrecordedEnds = ends;
      changed.add(event.sessionId);
    },
    needsView({ sessionId }) {
      const entry = entries.get(sessionId);
      return entry !== undefined && entry.view === null && isWaiting(entry);
    },
    view(sessionId) {
      const entry = entries.get(sessionId);
      if (entry === undefined || entry.view === null) return undefined;
      entry.viewUsedAtMs = monotonicMs();
      return entry.view;
    },
    wake(sessionId, built) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.viewUsedAtMs = monotonicMs();
      adoptView(entry, built, options);
    },
    isAsleep: (sessionId) => entries.get(sessionId)?.view === null,
    snapshot: (sessionId) => read(entries.get(sessionId)) ?? undefined,
    snapshots: () => [...entries.values()].map(read).filter((snapshot) => snapshot !== null),
    lastSnapshots: () =>
      [...entries.values()].flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot])),
    has: (sessionId) => entries.has(sessionId),
    ids: () => entries.keys(),
    moment(sessionId) {
      const entry = entries.get(sessionId);
      return entry === undefined ? { nowMs: options.nowMs(), quietMs: 0 } : momentOf(entry, options);
    },
    takeChanged() {
      const ids = [...changed];
      changed.clear();
      return ids;
    },
    expired: () => [...entries.values()].flatMap((entry) => readExpired(entry, options) ?? []),
    prune: (saved) =>
      [...entries].flatMap(([sessionId, entry]) => {
        const snapshot = trimWatchedSession(entry, options);
        if (snapshot === null || saved?.has(sessionId) === false) return [];
        forget(sessionId);
        return [snapshot];
      }),
    forget,
  };
}

/** Control events show what a driven session does and how requests were answered; none starts watching. */
function isFoldable(event: HooklineEvent, isWatched: boolean): boolean {
  if (event.sessionId === UNKNOWN_SESSION || isMemoryEvent(event)) return false;
  return !isControlEvent(event) || (isWatched && isFoldableControl(event));
}

function isFoldableControl({ eventType, phase }: HooklineEvent): boolean {
  return eventType === "control.card" || (eventType === "control.envelope" && isFoldedPhase(phase));
}
