import type { HooklineEvent } from "../event/event.ts";
import { foldEvent } from "./fold-event.ts";
import { applyEnds, type UnrecordedEnds } from "./fold-unrecorded.ts";
import { IDLE_MS } from "./read-standing.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import type { SessionView } from "./session-view.ts";

/** A watched session. */
export interface BookEntry {
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

export interface BookClock {
  readonly nowMs: () => number;
  /** A clock that is never moved. */
  readonly monotonicMs: () => number;
}

/** Nothing is let go before this long after it was last heard of. */
export const SETTLED_MS = 60_000;

export function createEntry(): BookEntry {
  const never = Number.NEGATIVE_INFINITY;
  return { view: null, snapshot: null, heardAtMs: never, askedAtMs: never, ends: null };
}

/** A session of which only a snapshot is there. */
export function recallEntry(snapshot: SessionSnapshot, clock: BookClock, before?: BookEntry): BookEntry {
  const heardAtMs = Math.max(
    heardAt(snapshot.lastEventAtIso, clock),
    before?.heardAtMs ?? Number.NEGATIVE_INFINITY,
  );
  return { view: null, snapshot, heardAtMs, askedAtMs: heardAtMs, ends: null };
}

export function momentOf(entry: BookEntry, clock: BookClock): Moment {
  return { nowMs: clock.nowMs(), quietMs: quietMs(entry, clock) };
}

/** For how long nothing was heard of it. */
export function quietMs(entry: BookEntry, { monotonicMs }: BookClock): number {
  return monotonicMs() - entry.heardAtMs;
}

/** `made` becomes its view if it has none. Returns the one it has now. */
export function adoptView(entry: BookEntry, made: SessionView, { nowMs }: BookClock): SessionView {
  if (entry.view !== null) return entry.view;
  if (entry.ends !== null) applyEnds(made, entry.ends);
  forgetFuture(made, nowMs());
  entry.view = made;
  return made;
}

/** Folds an event into its view, which is `made` if it had none, and notes when it was heard of. */
export function tellEntry(entry: BookEntry, event: HooklineEvent, made: SessionView, clock: BookClock): void {
  const isFirst = entry.view === null;
  const view = adoptView(entry, made, clock);
  foldEvent(view, event);
  forgetFuture(view, clock.nowMs());
  if (event.eventType === "session.evidence") {
    if (isFirst) entry.heardAtMs = heardAt(view.lastAt === "" ? event.occurredAtIso : view.lastAt, clock);
    return;
  }
  // What is told late (a backlog, an import) was not heard now.
  const now = clock.monotonicMs();
  const isLate = clock.nowMs() - Date.parse(event.occurredAtIso) > IDLE_MS;
  entry.heardAtMs = isLate
    ? Math.max(entry.heardAtMs, heardAt(view.lastAt || event.occurredAtIso, clock))
    : now;
}

function heardAt(lastEventAtIso: string, { nowMs, monotonicMs }: BookClock): number {
  return monotonicMs() - Math.max(0, nowMs() - Date.parse(lastEventAtIso));
}

/** What the agent's registry said at a time that has not come yet, it said before the clock was moved. */
function forgetFuture(view: SessionView, nowMs: number): void {
  if (view.statuses.size === 0) return;
  const most = new Date(nowMs + SETTLED_MS).toISOString();
  for (const [id, { at }] of view.statuses) if (at > most) view.statuses.delete(id);
}
