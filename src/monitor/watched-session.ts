import type { HooklineEvent } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { applyUnrecordedEnds, type UnrecordedEnds } from "./fold-unrecorded.ts";
import { IDLE_MS } from "./read-activity.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionView } from "./session-view.ts";

export interface WatchedSession {
  view: SessionView | null;
  /** The last snapshot read, in this run or an earlier one. */
  snapshot: SessionSnapshot | null;
  /** When its last event arrived, by the monotonic clock. */
  lastEventAtMs: number;
  /** When its view was last used. */
  viewUsedAtMs: number;
  /** Requests that ended while recording was off; null if none did. */
  unrecordedEnds: UnrecordedEnds | null;
}

export interface MonitorClock {
  readonly nowMs: () => number;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
}

/** Nothing is freed before this time has passed since the last event. */
export const MIN_RETAIN_MS = 60_000;

export function createWatchedSession(): WatchedSession {
  const never = Number.NEGATIVE_INFINITY;
  return { view: null, snapshot: null, lastEventAtMs: never, viewUsedAtMs: never, unrecordedEnds: null };
}

/** A session with only a snapshot. */
export function restoreWatchedSession(
  snapshot: SessionSnapshot,
  clock: MonitorClock,
  previous?: WatchedSession,
): WatchedSession {
  const lastEventAtMs = Math.max(
    toMonotonicMs(snapshot.lastEventAtIso, clock),
    previous?.lastEventAtMs ?? Number.NEGATIVE_INFINITY,
  );
  return {
    view: null,
    snapshot,
    lastEventAtMs: lastEventAtMs,
    viewUsedAtMs: lastEventAtMs,
    unrecordedEnds: null,
  };
}

export function momentOf(entry: WatchedSession, clock: MonitorClock): Moment {
  return { nowMs: clock.nowMs(), quietMs: quietMs(entry, clock) };
}

/** Time since its last event. */
export function quietMs(entry: WatchedSession, { monotonicMs }: MonitorClock): number {
  return monotonicMs() - entry.lastEventAtMs;
}

/** Uses `made` as its view if it has none. Returns the current view. */
export function adoptView(entry: WatchedSession, built: SessionView, { nowMs }: MonitorClock): SessionView {
  if (entry.view !== null) return entry.view;
  if (entry.unrecordedEnds !== null) applyUnrecordedEnds(built, entry.unrecordedEnds);
  dropFutureStatuses(built, nowMs());
  entry.view = built;
  return built;
}

/** Folds an event into its view (`made` if it had none), and records when it arrived. */
export function applyToWatchedSession(
  entry: WatchedSession,
  event: HooklineEvent,
  built: SessionView,
  clock: MonitorClock,
): void {
  const isFirst = entry.view === null;
  const view = adoptView(entry, built, clock);
  foldEvent(view, event);
  dropFutureStatuses(view, clock.nowMs());
  if (event.eventType === "session.evidence") {
    if (isFirst)
      entry.lastEventAtMs = toMonotonicMs(view.lastAt === "" ? event.occurredAtIso : view.lastAt, clock);
    return;
  }
  // A late event (from a backlog or an import) does not count as arriving now.
  const now = clock.monotonicMs();
  const isLate = clock.nowMs() - Date.parse(event.occurredAtIso) > IDLE_MS;
  entry.lastEventAtMs = isLate
    ? Math.max(entry.lastEventAtMs, toMonotonicMs(view.lastAt || event.occurredAtIso, clock))
    : now;
}

function toMonotonicMs(lastEventAtIso: string, { nowMs, monotonicMs }: MonitorClock): number {
  return monotonicMs() - Math.max(0, nowMs() - Date.parse(lastEventAtIso));
}

/** A registry status with a future time dates from before the clock was changed. */
function dropFutureStatuses(view: SessionView, nowMs: number): void {
  if (view.statuses.size === 0) return;
  const latestAllowed = new Date(nowMs + MIN_RETAIN_MS).toISOString();
  for (const [id, { at }] of view.statuses) if (at > latestAllowed) view.statuses.delete(id);
}
