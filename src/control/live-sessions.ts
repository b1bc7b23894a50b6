import { AppError } from "../app-error.ts";
import type { Card, DrivenSession } from "./control-contract.ts";
import { createSessionDriver, type DrivenSessionDriver, type SessionParts } from "./drive-session.ts";
import { isAboutCard, toCard } from "./driven-cards.ts";
import { type DrivenBeginning, isOver, stateOf } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import type { Journal } from "./journal.ts";
import type { SessionSetup } from "./session-options.ts";

/** A session that this process drives, or drove. */
export interface LiveSession {
  readonly sessionId: string;
  readonly setup: SessionSetup;
  readonly driver: DrivenSessionDriver;
  readonly journal: Journal;
  /** How long it has been idle; 0 while it is not. */
  readonly idleMs: () => number;
  /** Resolves when it is closed. */
  readonly closed: Promise<void>;
  toSession(): DrivenSession;
  /** The request as it was made, while it waits. */
  pendingCard(requestId: string): Card | undefined;
}

export interface LiveSessions {
  /** Runs when there is room; until then it is `queued`. */
  add(prepared: PreparedSession, journal: Journal, beginning: DrivenBeginning, by: string): LiveSession;
  get(sessionId: string): LiveSession | undefined;
  all(): readonly LiveSession[];
  /** Starts what waits, as far as there is room. */
  beginNext(): void;
}

/** A session about which all was checked; `release` gives its lock back. */
export interface PreparedSession {
  readonly setup: SessionSetup;
  /** Who pays, in words. */
  readonly billing: string;
  readonly release: () => void;
}

/** Which idle session is closed when another waits for its place; it can be resumed. */
export interface Room {
  /** Only after it was idle for so long. */
  readonly idleMs: number;
  /** Also one that somebody is attached to. */
  readonly attached: boolean;
}

export interface LiveSessionsOptions {
  readonly parts: Omit<SessionParts, "onEnvelopes">;
  readonly epoch: string;
  readonly maxSessions: number;
  readonly idleMinutes: number | null;
  readonly room: Room;
  readonly onCards?: ((sessionId: string) => void) | undefined;
}

const MOST_CLOSED = 200;
const LOOK_MS = 1_000;
/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { parts, epoch, maxSessions, idleMinutes, room } = options;
  const sessions = new Map<string, LiveSession>();
  const begun = new WeakSet<LiveSession>();
  let looking: NodeJS.Timeout | undefined;

  const isClosed = ({ driver }: LiveSession): boolean => driver.state().life === "closed";
  const isWaiting = (session: LiveSession): boolean => !begun.has(session) && !isOver(session.driver.state());
  const running = (): LiveSession[] =>
    [...sessions.values()].filter((session) => begun.has(session) && !isClosed(session));
  const hasRoom = (): boolean => running().length < maxSessions;

  function beginNext(): void {
    for (const session of [...sessions.values()].filter(isWaiting)) {
      if (!hasRoom()) break;
      begun.add(session);
      begin(session);
    }
    makeRoom();
  }

  /** As long as one waits: places of sessions that do nothing, the longest idle first. */
  function makeRoom(): void {
    clearTimeout(looking);
    const waiting = [...sessions.values()].filter(isWaiting).length;
    const leaving = running().filter(({ driver }) => isOver(driver.state())).length;
    if (waiting === 0 || hasRoom()) return;
    const idle = running()
      .filter((session) => doesNothing(session) && (room.attached || session.journal.watchers() === 0))
      .filter(({ idleMs }) => idleMs() >= room.idleMs)
      .sort((a, b) => b.idleMs() - a.idleMs());
    for (const { driver } of idle.slice(0, Math.max(0, waiting - leaving)))
      driver.take({ type: "close", why: "idle, and another session waited for its place" });
    looking = setTimeout(makeRoom, LOOK_MS).unref();
  }

  function forgetOldest(): void {
    const over = [...sessions.values()].filter(isClosed);
    for (const { sessionId } of over.slice(0, Math.max(0, over.length - MOST_CLOSED)))
      sessions.delete(sessionId);
  }

  return {
    add({ setup, billing, release }, journal, beginning, by) {
      const { sessionId } = setup;
      const startedAtIso = parts.nowIso();
      const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
      const idle = createIdleTimer(idleMinutes, (why) => driver.take({ type: "close", why }));
      let idleSince: number | null = null;
      const onEnvelopes = (bodies: readonly EnvelopeBody[]): void => {
        journal.write(bodies);
        if (bodies.some(isAboutCard)) options.onCards?.(sessionId);
        const state = stateOf(driver.state());
        idle.rearm(state === "idle");
        idleSince = state === "idle" ? (idleSince ?? performance.now()) : null;
        if (state !== "closed") return;
        release();
        tellClosed();
        forgetOldest();
        beginNext();
      };
      const queued = hasRoom() ? null : fullText(maxSessions);
      const driver = createSessionDriver({ ...beginning, queued }, { ...parts, onEnvelopes });
      const toSession = (): DrivenSession => ({
        ...describe(setup, driver, journal),
        epoch,
        startedAtIso,
        billing,
      });
      const session: LiveSession = {
        sessionId,
        setup,
        driver,
        journal,
        idleMs: () => (idleSince === null ? 0 : performance.now() - idleSince),
        closed,
        toSession,
        pendingCard(requestId) {
          const request = driver.state().pending.get(requestId);
          return request && toCard(sessionId, journal.place(), request);
        },
      };
      // Again at the end: the order is the queue's.
      sessions.delete(sessionId);
      sessions.set(sessionId, session);
      driver.take({ type: "registered", by });
      return session;
    },
    get: (sessionId) => sessions.get(sessionId),
    all: () => [...sessions.values()],
    beginNext,
  };
}

function begin({ driver, setup }: LiveSession): void {
  driver.take({ type: "opened" });
  driver.open(setup).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : "sdk_failed";
    const message = error instanceof Error ? error.message : String(error);
    driver.take({ type: "exit", error: { code, message } });
  });
}

function describe(
  { sessionId, cwd, projectPath }: SessionSetup,
  driver: DrivenSessionDriver,
  journal: Journal,
): Omit<DrivenSession, "epoch" | "startedAtIso" | "billing"> {
  const driven = driver.state();
  return {
    sessionId,
    claudeSessionId: driven.init?.claudeSessionId ?? sessionId,
    cwd,
    projectPath,
    state: stateOf(driven),
    why: driven.why,
    mode: driven.mode,
    model: driven.model,
    seq: journal.lastSeq(),
    partialText: driven.partialText,
    tools: [...driven.tools].map(([toolUseId, { tool }]) => ({ toolUseId, tool })),
    pending: [...driven.pending.values()].map((request) => toCard(sessionId, journal.place(), request)),
    queuedMessages: [...driven.messages.values()].filter((state) => state !== "started").length,
    backgroundTasks: driven.tasks.size,
    usage: driven.usage,
    totalCostUsd: driven.totalCostUsd,
    maxBudgetUsd: driven.maxBudgetUsd,
    pid: driver.pid(),
  };
}

function fullText(most: number): string {
  return `${most === 1 ? "1 session runs" : `${most} sessions run`} already (control.maxSessions)`;
}

function doesNothing({ driver }: LiveSession): boolean {
  const driven = driver.state();
  return stateOf(driven) === "idle" && driven.tasks.size === 0 && driven.messages.size === 0;
}

function createIdleTimer(minutes: number | null, onIdle: (why: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    rearm(isIdle: boolean): void {
      clearTimeout(timer);
      if (!isIdle || minutes === null) return;
      const ms = Math.min(minutes * 60_000, LONGEST_TIMER_MS);
      timer = setTimeout(onIdle, ms, `idle for ${minutes} minutes`);
      timer.unref();
    },
  };
}
