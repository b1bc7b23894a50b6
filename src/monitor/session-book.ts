import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { isControlEvent, isMemoryEvent, UNKNOWN_SESSION } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { applyEnds, foldUnrecorded, type UnrecordedEnds } from "./fold-unrecorded.ts";
import { readLeft } from "./read-life.ts";
import { over, readSession } from "./read-session.ts";
import { IDLE_MS } from "./read-standing.ts";
import { settleWaits } from "./read-waits.ts";
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
  /** A snapshot of an earlier life of the daemon. */
  recall(snapshot: SessionSnapshot): void;
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

export interface SessionBookOptions {
  readonly prices: UsageSource;
  readonly nowMs: () => number;
  /** A clock that is never moved. */
  readonly monotonicMs: () => number;
  /** After how long without a word a view is let go; never, where it could not be made again. */
  readonly viewMs?: number;
  readonly loadOf?: ((pid: number) => SessionSnapshot["process"]) | undefined;
}

interface Entry {
  view: SessionView | null;
  /** The last one that was read, in this life or before. */
  snapshot: SessionSnapshot | null;
  /** When something was last heard of it, by the clock that is never moved. */
  heardAtMs: number;
  /** When its view was last asked for. */
  askedAtMs: number;
  /** Requests that ended while nothing could be recorded; null where none did. */
  ends: UnrecordedEnds | null;
}

/** How long a session that ended stays. */
export const WATCH_MS = 24 * 3_600_000;
/** A view takes memory; one of which nothing was heard for this long can be made again. */
const VIEW_MS = 30 * 60_000;
/** Nothing is let go before this long after it was last heard of. */
const SETTLED_MS = 60_000;

export function createSessionBook(options: SessionBookOptions): SessionBook {
  const entries = new Map<string, Entry>();
  const changed = new Set<string>();

  const heardAt = (lastEventAtIso: string): number =>
    options.monotonicMs() - Math.max(0, options.nowMs() - Date.parse(lastEventAtIso));

  const moment = (entry: Entry): Moment => ({
    nowMs: options.nowMs(),
    quietMs: options.monotonicMs() - entry.heardAtMs,
  });

  const adopt = (entry: Entry, made: SessionView): SessionView => {
    if (entry.view !== null) return entry.view;
    if (entry.ends !== null) applyEnds(made, entry.ends);
    forgetFuture(made, options.nowMs());
    entry.view = made;
    return made;
  };

  /** Control events show what a driven session does and how requests were answered; none makes a session watched. */
  const isFolded = (event: HooklineEvent): boolean => {
    if (event.sessionId === UNKNOWN_SESSION || isMemoryEvent(event)) return false;
    return !isControlEvent(event) || isShown(event, entries.has(event.sessionId));
  };

  /** The session that it may change, where one waits for a person. */
  const waitingEntry = ({ sessionId }: HooklineEvent): Entry | undefined => {
    const entry = entries.get(sessionId);
    const snapshot = entry === undefined ? null : read(entry);
    return snapshot === null || snapshot.requests.length === 0 ? undefined : entry;
  };

  const isToGo = (entry: Entry, snapshot: SessionSnapshot | null): boolean =>
    snapshot !== null && isOver(snapshot) && options.monotonicMs() - entry.heardAtMs > WATCH_MS;

  const read = (entry: Entry): SessionSnapshot | null => {
    if (entry.view !== null && entry.view.firstAt !== "") {
      settleWaits(entry.view);
      const snapshot = readSession(entry.view, moment(entry));
      const process = snapshot.pid === null ? null : (options.loadOf?.(snapshot.pid) ?? null);
      entry.snapshot = process === null ? snapshot : { ...snapshot, process };
      return entry.snapshot;
    }
    return entry.snapshot === null ? null : aged(entry.snapshot, moment(entry));
  };

  return {
    prices: options.prices,
    recall(snapshot) {
      const heardAtMs = heardAt(snapshot.lastEventAtIso);
      entries.set(snapshot.sessionId, { view: null, snapshot, heardAtMs, askedAtMs: heardAtMs, ends: null });
    },
    tell(event, made) {
      if (!isFolded(event)) return;
      const { sessionId } = event;
      let entry = entries.get(sessionId);
      if (entry === undefined) {
        const never = Number.NEGATIVE_INFINITY;
        entry = { view: null, snapshot: null, heardAtMs: never, askedAtMs: never, ends: null };
        entries.set(sessionId, entry);
      }
      const isFirst = entry.view === null;
      const view = adopt(entry, made ?? createView(sessionId, options.prices));
      foldEvent(view, event);
      forgetFuture(view, options.nowMs());
      if (event.eventType === "session.evidence") {
        if (isFirst) entry.heardAtMs = heardAt(view.lastAt === "" ? event.occurredAtIso : view.lastAt);
      } else {
        // What is told late (a backlog, an import) was not heard now.
        const now = options.monotonicMs();
        const isLate = options.nowMs() - Date.parse(event.occurredAtIso) > IDLE_MS;
        entry.heardAtMs = isLate
          ? Math.max(entry.heardAtMs, heardAt(view.lastAt || event.occurredAtIso))
          : now;
      }
      changed.add(sessionId);
    },
    lacking(events) {
      const ids = new Set<string>();
      for (const event of events)
        if (isFolded(event) && (entries.get(event.sessionId)?.view ?? null) === null)
          ids.add(event.sessionId);
      return [...ids];
    },
    unrecorded(event, made) {
      const entry = waitingEntry(event);
      if (entry === undefined) return;
      const ends = entry.ends ?? { ended: new Map(), status: null };
      foldUnrecorded(adopt(entry, made ?? createView(event.sessionId, options.prices)), event, ends);
      entry.ends = ends;
      changed.add(event.sessionId);
    },
    lacksView: (event) => entries.get(event.sessionId)?.view === null && waitingEntry(event) !== undefined,
    view(sessionId) {
      const entry = entries.get(sessionId);
      if (entry === undefined || entry.view === null) return undefined;
      entry.askedAtMs = options.monotonicMs();
      return entry.view;
    },
    wake(sessionId, made) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return;
      entry.askedAtMs = options.monotonicMs();
      adopt(entry, made);
    },
    isAsleep: (sessionId) => entries.get(sessionId)?.view === null,
    snapshot(sessionId) {
      const entry = entries.get(sessionId);
      return entry === undefined ? undefined : (read(entry) ?? undefined);
    },
    snapshots: () => [...entries.values()].map(read).filter((snapshot) => snapshot !== null),
    lastRead: () => [...entries.values()].flatMap(({ snapshot }) => (snapshot === null ? [] : [snapshot])),
    has: (sessionId) => entries.has(sessionId),
    ids: () => entries.keys(),
    moment(sessionId) {
      const entry = entries.get(sessionId);
      return entry === undefined ? { nowMs: options.nowMs(), quietMs: 0 } : moment(entry);
    },
    takeChanged() {
      const ids = [...changed];
      changed.clear();
      return ids;
    },
    over: () =>
      [...entries.values()].flatMap((entry) => {
        if (options.monotonicMs() - entry.heardAtMs <= WATCH_MS) return [];
        const snapshot = read(entry);
        return isToGo(entry, snapshot) ? [snapshot!] : [];
      }),
    prune(saved) {
      const gone: SessionSnapshot[] = [];
      for (const [sessionId, entry] of entries) {
        const quietMs = options.monotonicMs() - entry.heardAtMs;
        if (quietMs < SETTLED_MS) continue;
        // They count for seconds only, and hold whole inputs.
        entry.view?.recentCalls.splice(0);
        entry.view?.recentEnds.splice(0);
        const snapshot = read(entry);
        if (snapshot !== null && isToGo(entry, snapshot)) {
          if (saved?.has(sessionId) === false) continue;
          entries.delete(sessionId);
          changed.delete(sessionId);
          gone.push(snapshot);
        } else if (entry.view !== null) {
          const isAsked = options.monotonicMs() - entry.askedAtMs < SETTLED_MS;
          if (quietMs > (options.viewMs ?? VIEW_MS) && !isAsked) entry.view = null;
        }
      }
      return gone;
    },
    forget(sessionId) {
      entries.delete(sessionId);
      changed.delete(sessionId);
    },
  };
}

/** What the agent's registry said at a time that has not come yet, it said before the clock was moved. */
function forgetFuture(view: SessionView, nowMs: number): void {
  if (view.statuses.size === 0) return;
  const most = new Date(nowMs + SETTLED_MS).toISOString();
  for (const [id, { at }] of view.statuses) if (at > most) view.statuses.delete(id);
}

const SHOWN_PHASES = /^(state|(permission|question)\.(request|resolved))$/;

function isShown({ eventType, phase }: HooklineEvent, isWatched: boolean): boolean {
  if (!isWatched) return false;
  return eventType === "control.card" || (eventType === "control.envelope" && SHOWN_PHASES.test(phase ?? ""));
}

function isOver({ state }: SessionSnapshot): boolean {
  return state === "completed" || state === "lost";
}

/** An earlier snapshot at a later moment: only the time has gone on. */
function aged(snapshot: SessionSnapshot, { quietMs }: Moment): SessionSnapshot {
  const left = snapshot.pid === null && !isOver(snapshot) ? readLeft(snapshot.lastEventAtIso, quietMs) : null;
  if (left !== null) return { ...snapshot, ...over(left) };
  const isResting = snapshot.activityPhase === "interactable" || snapshot.activityPhase === "failed";
  if (snapshot.state !== "active" || !isResting || quietMs < IDLE_MS) return snapshot;
  return {
    ...snapshot,
    state: "idle",
    sinceIso: snapshot.lastEventAtIso,
    why: "Nothing has been heard of it for five minutes.",
    evidence: [...snapshot.evidence, { source: "timer", what: "quiet", atIso: snapshot.lastEventAtIso }],
  };
}
