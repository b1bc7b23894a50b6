import { type BookClock, type BookEntry, momentOf, quietMs, SETTLED_MS } from "./book-entry.ts";
import { readLeft } from "./read-life.ts";
import { over, readSession } from "./read-session.ts";
import { IDLE_MS } from "./read-standing.ts";
import { settleWaits } from "./read-waits.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";

export interface ReadEntryOptions extends BookClock {
  /** After how long without a word a view is let go; never, where it could not be made again. */
  readonly viewMs?: number;
  readonly loadOf?: ((pid: number) => SessionSnapshot["process"]) | undefined;
}

/** How long a session that ended stays. */
export const WATCH_MS = 24 * 3_600_000;
/** A view takes memory; one of which nothing was heard for this long can be made again. */
const VIEW_MS = 30 * 60_000;

/** A session as it is now; null for one of which nothing is known yet. */
export function readEntry(entry: BookEntry, options: ReadEntryOptions): SessionSnapshot | null {
  if (entry.view !== null && entry.view.firstAt !== "") {
    settleWaits(entry.view);
    const snapshot = readSession(entry.view, momentOf(entry, options));
    const process = snapshot.pid === null ? null : (options.loadOf?.(snapshot.pid) ?? null);
    entry.snapshot = process === null ? snapshot : { ...snapshot, process };
    return entry.snapshot;
  }
  return entry.snapshot === null ? null : aged(entry.snapshot, momentOf(entry, options));
}

/** As `readEntry`, of a session that ended long ago; null for any other. */
export function readOver(entry: BookEntry, options: ReadEntryOptions): SessionSnapshot | null {
  if (quietMs(entry, options) <= WATCH_MS) return null;
  const snapshot = readEntry(entry, options);
  return snapshot !== null && isToGo(entry, snapshot, options) ? snapshot : null;
}

/** Frees what a quiet session no longer needs. Returns the snapshot of one that ended long ago, else null. */
export function tidyEntry(entry: BookEntry, options: ReadEntryOptions): SessionSnapshot | null {
  const quiet = quietMs(entry, options);
  if (quiet < SETTLED_MS) return null;
  // They count for seconds only, and hold whole inputs.
  entry.view?.recentCalls.splice(0);
  entry.view?.recentEnds.splice(0);
  const snapshot = readEntry(entry, options);
  if (snapshot !== null && isToGo(entry, snapshot, options)) return snapshot;
  const isAsked = options.monotonicMs() - entry.askedAtMs < SETTLED_MS;
  if (quiet > (options.viewMs ?? VIEW_MS) && !isAsked) entry.view = null;
  return null;
}

function isToGo(entry: BookEntry, snapshot: SessionSnapshot, clock: BookClock): boolean {
  return isOver(snapshot) && quietMs(entry, clock) > WATCH_MS;
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
