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
 * when something is told of it, from what is remembered; until then its last snapshot stands for it.
 */
export interface SessionBook {
  readonly prices: UsageSource;
  /** A snapshot of an earlier life of the daemon. */
  recall(snapshot: SessionSnapshot): void;
  tell(event: HooklineEvent): void;
  /** What must not be recorded, and may end a request all the same. */
  unrecorded(event: HooklineEvent): void;
  /** Made from what is remembered if it is not there; undefined when nothing is known of the session. */
  view(sessionId: string): SessionView | undefined;
  /** Whether asking for its view would make it anew. */
  isAsleep(sessionId: string): boolean;
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
  /** Lets go of sessions that ended long ago, and of views that nobody needs now. Gives those that are gone. */
  prune(): SessionSnapshot[];
  forget(sessionId: string): void;
}

export interface SessionBookOptions {
  readonly prices: UsageSource;
  readonly nowMs: () => number;
  /** A clock that is never moved. */
  readonly monotonicMs: () => number;
  /** All that is remembered of a session. */
  readonly remembered: (sessionId: string) => Iterable<HooklineEvent>;
  /** After how long without a word a view is let go; for ever, where nothing is remembered. */
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

  /** The view with all that is remembered of the session. */
  const viewOf = (sessionId: string, entry: Entry): SessionView => {
    if (entry.view !== null) return entry.view;
    const view = createView(sessionId, options.prices);
    for (const event of options.remembered(sessionId)) foldEvent(view, event);
    if (entry.ends !== null) applyEnds(view, entry.ends);
    forgetFuture(view, options.nowMs());
    entry.view = view;
    return view;
  };

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
    tell(event) {
      const { sessionId } = event;
      if (sessionId === UNKNOWN_SESSION || isMemoryEvent(event)) return;
      // What a driven session does, and how requests were answered from here; no session begins to be watched by it.
      if (isControlEvent(event) && !isShown(event, entries.has(sessionId))) return;
      let entry = entries.get(sessionId);
      if (entry === undefined) {
        const never = Number.NEGATIVE_INFINITY;
        entry = { view: null, snapshot: null, heardAtMs: never, askedAtMs: never, ends: null };
        entries.set(sessionId, entry);
      }
      const isFirst = entry.view === null;
      const view = viewOf(sessionId, entry);
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
    unrecorded(event) {
      const entry = entries.get(event.sessionId);
      const snapshot = entry === undefined ? null : read(entry);
      if (entry === undefined || snapshot === null || snapshot.requests.length === 0) return;
      const ends = entry.ends ?? { ended: new Map(), status: null };
      foldUnrecorded(viewOf(event.sessionId, entry), event, ends);
      entry.ends = ends;
      changed.add(event.sessionId);
    },
    view(sessionId) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return undefined;
      entry.askedAtMs = options.monotonicMs();
      return viewOf(sessionId, entry);
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
    prune() {
      const gone: SessionSnapshot[] = [];
      for (const [sessionId, entry] of entries) {
        const quietMs = options.monotonicMs() - entry.heardAtMs;
        if (quietMs < SETTLED_MS) continue;
        // They count for seconds only, and hold whole inputs.
        entry.view?.recentCalls.splice(0);
        entry.view?.recentEnds.splice(0);
        const snapshot = read(entry);
        if (snapshot !== null && isOver(snapshot) && quietMs > WATCH_MS) {
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
