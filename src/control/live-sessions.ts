import { AppError } from "../app-error.ts";
import type { DrivenSession } from "./control-contract.ts";
import { createSessionDriver, type DrivenSessionDriver, type SessionParts } from "./drive-session.ts";
import { toCard } from "./driven-cards.ts";
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
  /** Resolves when it is closed. */
  readonly closed: Promise<void>;
  toSession(): DrivenSession;
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

export interface LiveSessionsOptions {
  readonly parts: Omit<SessionParts, "onEnvelopes">;
  readonly epoch: string;
  readonly maxSessions: number;
  readonly idleMinutes: number | null;
}

const MOST_CLOSED = 200;

export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  const { parts, epoch, maxSessions, idleMinutes } = options;
  const sessions = new Map<string, LiveSession>();
  const begun = new WeakSet<LiveSession>();

  const isClosed = ({ driver }: LiveSession): boolean => driver.state().life === "closed";
  const hasRoom = (): boolean =>
    [...sessions.values()].filter((session) => begun.has(session) && !isClosed(session)).length < maxSessions;

  function beginNext(): void {
    for (const session of sessions.values()) {
      if (!hasRoom()) return;
      if (begun.has(session) || isOver(session.driver.state())) continue;
      begun.add(session);
      begin(session);
    }
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
      const onEnvelopes = (bodies: readonly EnvelopeBody[]): void => {
        journal.write(bodies);
        const state = stateOf(driver.state());
        idle.rearm(state === "idle");
        if (state !== "closed") return;
        release();
        tellClosed();
        forgetOldest();
        beginNext();
      };
      const queued = !hasRoom();
      const driver = createSessionDriver({ ...beginning, queued }, { ...parts, onEnvelopes });
      const toSession = (): DrivenSession => ({
        ...describe(setup, driver, journal),
        epoch,
        startedAtIso,
        billing,
      });
      const session: LiveSession = { sessionId, setup, driver, journal, closed, toSession };
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
    mode: driven.mode,
    model: driven.model,
    seq: journal.lastSeq(),
    partialText: driven.partialText,
    tools: [...driven.tools].map(([toolUseId, { tool }]) => ({ toolUseId, tool })),
    pending: [...driven.pending.values()].map((request) => toCard(sessionId, journal.place(), request)),
    queuedMessages: [...driven.messages.values()].filter((state) => state !== "started").length,
    usage: driven.usage,
    totalCostUsd: driven.totalCostUsd,
    maxBudgetUsd: driven.maxBudgetUsd,
    pid: driver.pid(),
  };
}

function createIdleTimer(minutes: number | null, onIdle: (why: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    rearm(isIdle: boolean): void {
      clearTimeout(timer);
      if (!isIdle || minutes === null) return;
      timer = setTimeout(onIdle, minutes * 60_000, `idle for ${minutes} minutes`);
      timer.unref();
    },
  };
}
