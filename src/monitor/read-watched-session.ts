import { IDLE_MS } from "./read-activity.ts";
import { readAbandoned } from "./read-end.ts";
import { endedCondition, readSession } from "./read-session.ts";
import { finalizeWaits } from "./read-waits.ts";
import type { Moment } from "./reading.ts";
import type { SessionSnapshot } from "./session-snapshot.ts";
import {
  MIN_RETAIN_MS,
  type MonitorClock,
  momentOf,
  quietMs,
  type WatchedSession,
} from "./watched-session.ts";

export interface WatchedSessionOptions extends MonitorClock {
  /** How long a quiet session keeps its view; infinite where the view could not be rebuilt. */
  readonly viewRetentionMs?: number;
  readonly loadOf?: ((pid: number) => SessionSnapshot["process"]) | undefined;
}

/** How long an ended session stays watched. */
export const WATCH_MS = 24 * 3_600_000;
/** A view takes memory; one without events for this long can be rebuilt on demand. */
const VIEW_RETENTION_MS = 30 * 60_000;

/** The session as it is now; null while nothing is known of it. */
export function readWatchedSession(
  entry: WatchedSession,
  options: WatchedSessionOptions,
): SessionSnapshot | null {
  if (entry.view !== null && entry.view.firstAt !== "") {
    finalizeWaits(entry.view);
    const snapshot = readSession(entry.view, momentOf(entry, options));
    const process = snapshot.pid === null ? null : (options.loadOf?.(snapshot.pid) ?? null);
    entry.snapshot = process === null ? snapshot : { ...snapshot, process };
    return entry.snapshot;
  }
  return entry.snapshot === null ? null : withTimePassed(entry.snapshot, momentOf(entry, options));
}

/** Like `readWatchedSession`, for a session that ended long ago; null for any other. */
export function readExpired(entry: WatchedSession, options: WatchedSessionOptions): SessionSnapshot | null {
  if (quietMs(entry, options) <= WATCH_MS) return null;
  const snapshot = readWatchedSession(entry, options);
  return snapshot !== null && isExpired(entry, snapshot, options) ? snapshot : null;
}

/** Frees what a quiet session no longer needs. Returns the snapshot of one that ended long ago, else null. */
export function trimWatchedSession(
  entry: WatchedSession,
  options: WatchedSessionOptions,
): SessionSnapshot | null {
  const quiet = quietMs(entry, options);
  if (quiet < MIN_RETAIN_MS) return null;
  // They matter only for seconds, and contain complete inputs.
  entry.view?.recentCalls.splice(0);
  entry.view?.recentEnds.splice(0);
  const snapshot = readWatchedSession(entry, options);
  if (snapshot !== null && isExpired(entry, snapshot, options)) return snapshot;
  const isInUse = options.monotonicMs() - entry.viewUsedAtMs < MIN_RETAIN_MS;
  if (quiet > (options.viewRetentionMs ?? VIEW_RETENTION_MS) && !isInUse) entry.view = null;
  return null;
}

function isExpired(entry: WatchedSession, snapshot: SessionSnapshot, clock: MonitorClock): boolean {
  return isOver(snapshot) && quietMs(entry, clock) > WATCH_MS;
}

function isOver({ state }: SessionSnapshot): boolean {
  return state === "completed" || state === "lost";
}

/** Updates an earlier snapshot for the time passed since. */
function withTimePassed(snapshot: SessionSnapshot, { quietMs }: Moment): SessionSnapshot {
  const abandoned =
    snapshot.pid === null && !isOver(snapshot) ? readAbandoned(snapshot.lastEventAtIso, quietMs) : null;
  if (abandoned !== null) return { ...snapshot, ...endedCondition(abandoned) };
  const isBetweenTurns = snapshot.activityPhase === "interactable" || snapshot.activityPhase === "failed";
  if (snapshot.state !== "active" || !isBetweenTurns || quietMs < IDLE_MS) return snapshot;
  return {
    ...snapshot,
    state: "idle",
    sinceIso: snapshot.lastEventAtIso,
    why: "No activity for five minutes.",
    evidence: [...snapshot.evidence, { source: "timer", what: "quiet", atIso: snapshot.lastEventAtIso }],
  };
}
