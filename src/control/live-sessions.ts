import { AppError } from "../app-error.ts";
import { type DrivenStart, isOver, stateOf } from "./driven-state.ts";
import type { Journal } from "./journal.ts";
import {
  createLiveSession,
  type LiveSession,
  type LiveSessionOptions,
  type PreparedSession,
} from "./live-session.ts";

export interface LiveSessions {
  /** Starts when there is room; until then it is `queued`. */
  add(prepared: PreparedSession, journal: Journal, initial: DrivenStart, by: string): LiveSession;
  get(sessionId: string): LiveSession | undefined;
  all(): readonly LiveSession[];
  /** Starts queued sessions as far as there is room. */
  startNext(): void;
}

/** Which idle session may be closed when another is queued; it can be resumed. */
export interface Room {
  /** Only after it has been idle this long. */
  readonly idleMs: number;
  /** Also one that a client is attached to. */
  readonly attached: boolean;
}

export interface LiveSessionsOptions extends LiveSessionOptions {
  readonly maxSessions: number;
  readonly room: Room;
}

const MAX_CLOSED_SESSIONS = 200;
const ROOM_CHECK_MS = 1_000;

export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { maxSessions, room } = options;
  const sessions = new Map<string, LiveSession>();
  const started = new WeakSet<LiveSession>();
  let roomTimer: NodeJS.Timeout | undefined;

  const isClosed = ({ driver }: LiveSession): boolean => driver.state().lifecycle === "closed";
  const isWaiting = (session: LiveSession): boolean =>
    !started.has(session) && !isOver(session.driver.state());
  const running = (): LiveSession[] =>
    [...sessions.values()].filter((session) => started.has(session) && !isClosed(session));
  const hasRoom = (): boolean => running().length < maxSessions;

  function startNext(): void {
    for (const session of [...sessions.values()].filter(isWaiting)) {
      if (!hasRoom()) break;
      started.add(session);
      startDriver(session);
    }
    makeRoom();
  }

  /** While a session is queued, closes idle ones, the longest idle first. */
  function makeRoom(): void {
    clearTimeout(roomTimer);
    const waiting = [...sessions.values()].filter(isWaiting).length;
    const closing = running().filter(({ driver }) => isOver(driver.state())).length;
    if (waiting === 0 || hasRoom()) return;
    const idle = running()
      .filter((session) => isFullyIdle(session) && (room.attached || session.journal.watcherCount() === 0))
      .filter(({ idleMs }) => idleMs() >= room.idleMs)
      .sort((a, b) => b.idleMs() - a.idleMs());
    for (const { driver } of idle.slice(0, Math.max(0, waiting - closing)))
      driver.dispatch({ type: "close", why: "idle, and another session needed the slot" });
    roomTimer = setTimeout(makeRoom, ROOM_CHECK_MS).unref();
  }

  function forgetOldest(): void {
    const closed = [...sessions.values()].filter(isClosed);
    for (const { sessionId } of closed.slice(0, Math.max(0, closed.length - MAX_CLOSED_SESSIONS)))
      sessions.delete(sessionId);
  }

  function onClosed(): void {
    forgetOldest();
    startNext();
  }

  return {
    add(prepared, journal, initial, by) {
      const queued = hasRoom() ? null : queuedReasonText(maxSessions);
      const sessionOptions = { ...options, onClosed };
      const session = createLiveSession(
        prepared,
        journal,
        { ...initial, queuedReason: queued },
        sessionOptions,
      );
      // Re-insert at the end: the map's order is the queue's.
      sessions.delete(session.sessionId);
      sessions.set(session.sessionId, session);
      session.driver.dispatch({ type: "registered", by });
      return session;
    },
    get: (sessionId) => sessions.get(sessionId),
    all: () => [...sessions.values()],
    startNext: startNext,
  };
}

function startDriver({ driver, setup }: LiveSession): void {
  driver.dispatch({ type: "opened" });
  driver.start(setup).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : "sdk_failed";
    const message = error instanceof Error ? error.message : String(error);
    driver.dispatch({ type: "exit", error: { code, message } });
  });
}

function queuedReasonText(maxSessions: number): string {
  return `${maxSessions === 1 ? "1 session is" : `${maxSessions} sessions are`} already running (control.maxSessions)`;
}

function isFullyIdle({ driver }: LiveSession): boolean {
  const driven = driver.state();
  return stateOf(driven) === "idle" && driven.tasks.size === 0 && driven.messages.size === 0;
}
