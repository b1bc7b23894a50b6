import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { isControlEvent, isMemoryEvent, UNKNOWN_SESSION } from "../event/event.ts";
import { adoptView, type BookEntry, createEntry, momentOf, recallEntry, tellEntry } from "./book-entry.ts";
import { isFoldedPhase } from "./fold-control.ts";
import { foldUnrecorded } from "./fold-unrecorded.ts";
import { type ReadEntryOptions, readEntry, readOver, tidyEntry } from "./read-entry.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import { createView, type SessionView } from "./session-view.ts";

/**
 * The sessions that are watched: those that run, and those that ended within the last day. A session's view is made
 * from its recorded events when it is needed; until then its last snapshot stands for it. The book itself reads nothing:
 * whoever drives it asks which views are missing, and hands them over.
 */
export interface SessionBook {
  readonly prices: UsageSource;
  /** A snapshot of an earlier life of the daemon, or one made of all that is recorded. False if it is not shown. */
  recall(snapshot: SessionSnapshot): boolean;
  /** `made` is the view of its recorded events, used if the session has no view; without either it starts empty. */
  tell(event: HooklineEvent, made?: SessionView): void;
  /** Sessions that these events are about and that have no view yet. */
  lacking(events: readonly HooklineEvent[]): string[];
  /** What must not be recorded, and may end a request all the same. `made` as for `tell`. */
  unrecorded(event: HooklineEvent, made?: SessionView): void;
  /** Whether `unrecorded` needs a view that is not there. */
  lacksView(unrecorded: HooklineEvent): boolean;
  /** Undefined for a session that is not watched, and for one that is asleep. */
  view(sessionId: string): SessionView | undefined;
  /** Watched, but without a view. */
  isAsleep(sessionId: string): boolean;
  /** Hands over the view of a session that is asleep. One that is awake, or no longer watched, stays as it is. */
  wake(sessionId: string, made: SessionView): void;
  /** At this moment. Undefined for a session that is not watched. */
  snapshot(sessionId: string): SessionSnapshot | undefined;
  snapshots(): SessionSnapshot[];
  /** As they were last read: for what does not change with time. */
  lastRead(): SessionSnapshot[];
  has(sessionId: string): boolean;
  ids(): IterableIterator<string>;
  moment(sessionId: string): Moment;
  /** Those of which something was told since this was last asked. */
  takeChanged(): string[];
  /** Those that ended long ago, as they are now. */
  over(): SessionSnapshot[];
  /** Drops the sessions that `over` names, only those of `saved` where it is given, and unused views. Returns the dropped. */
  prune(saved?: ReadonlySet<string>): SessionSnapshot[];
  forget(sessionId: string): void;
}

export interface SessionBookOptions extends ReadEntryOptions {
  readonly prices: UsageSource;
}

export function createSessionBook(options: SessionBookOptions): SessionBook {
  const { prices, monotonicMs } = options;
  const entries = new Map<string, BookEntry>();
  const changed = new Set<string>();
  const read = (entry: BookEntry | undefined): SessionSnapshot | null =>
    entry === undefined ? null : readEntry(entry, options);
  const isFolded = (event: HooklineEvent): boolean => isTold(event, entries.has(event.sessionId));
  /** Only a session that waits for a person is changed by what is not recorded. */
  const isWaiting = (entry: BookEntry): boolean => (read(entry)?.requests.length ?? 0) > 0;
  const forget = (sessionId: string): void => {
    entries.delete(sessionId);
    changed.delete(sessionId);
  };

  return {
    prices,
    recall(snapshot) {
      const before = entries.get(snapshot.sessionId);
      // What is recorded does not have the ends that it has heard of.
      if (before !== undefined && before.ends !== null) return false;
      entries.set(snapshot.sessionId, recallEntry(snapshot, options, before));
      return true;
    },
    tell(event, made) {
      if (!isFolded(event)) return;
      const { sessionId } = event;
      const entry = entries.get(sessionId) ?? createEntry();
      entries.set(sessionId, entry);
      tellEntry(entry, event, made ?? createView(sessionId, prices), options);
      changed.add(sessionId);
    },
    lacking(events) {
      const lacks = ({ sessionId }: HooklineEvent): boolean =>
        (entries.get(sessionId)?.view ?? null) === null;
      const ids = events.filter((event) => isFolded(event) && lacks(event)).map(({ sessionId }) => sessionId);
      return [...new Set(ids)];
    },
    unrecorded(event, made) {
      const entry = entries.get(event.sessionId);
      if (entry === undefined || !isWaiting(entry)) return;
      const ends = entry.ends ?? { ended: new Map(), status: null };
      foldUnrecorded(adoptView(entry, made ?? createView(event.sessionId, prices), options), event, ends);
      entry.ends = ends;
      changed.add(event.sessionId);
    },
    lacksView({ sessionId }) {
      const entry = entries.get(sessionId);
      return entry !== undefined && entry.view === null && isWaiting(entry);
    },
    view(sessionId) {
      const entry = entries.get(sessionId);
      if (entry === undefined || entry.view === null) return undefined;
      entry.askedAtMs = monotonicMs();
      return entry.view;
    },
    wake(sessionId, made) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.askedAtMs = monotonicMs();
      adoptView(entry, made, options);
    },
    isAsleep: (sessionId) => entries.get(sessionId)?.view === null,
    snapshot: (sessionId) => read(entries.get(sessionId)) ?? undefined,
    snapshots: () => [...entries.values()].map(read).filter((snapshot) => snapshot !== null),
    lastRead: () => [...entries.values()].flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot])),
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
    over: () => [...entries.values()].flatMap((entry) => readOver(entry, options) ?? []),
    prune: (saved) =>
      [...entries].flatMap(([sessionId, entry]) => {
        const snapshot = tidyEntry(entry, options);
        if (snapshot === null || saved?.has(sessionId) === false) return [];
        forget(sessionId);
        return [snapshot];
      }),
    forget,
  };
}

/** Control events show what a driven session does and how requests were answered; none makes a session watched. */
function isTold(event: HooklineEvent, isWatched: boolean): boolean {
  if (event.sessionId === UNKNOWN_SESSION || isMemoryEvent(event)) return false;
  return !isControlEvent(event) || (isWatched && isShown(event));
}

function isShown({ eventType, phase }: HooklineEvent): boolean {
  return eventType === "control.card" || (eventType === "control.envelope" && isFoldedPhase(phase));
}
