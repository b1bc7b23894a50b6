import type { Card, DrivenSession } from "./control-contract.ts";
import { createSessionDriver, type DrivenSessionDriver, type SessionParts } from "./drive-session.ts";
import { isAboutCard, toCard } from "./driven-cards.ts";
import { type DrivenBeginning, stateOf } from "./driven-state.ts";
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

/** A session about which all was checked; `release` gives its lock back. */
export interface PreparedSession {
  readonly setup: SessionSetup;
  /** Who pays, in words. */
  readonly billing: string;
  readonly release: () => void;
}

export interface LiveSessionOptions {
  readonly parts: Omit<SessionParts, "onEnvelopes">;
  readonly epoch: string;
  readonly idleMinutes: number | null;
  /** Called when what is asked of a person has changed. */
  readonly onCards?: ((sessionId: string) => void) | undefined;
}

/** Drives a session that was prepared; it does nothing before its driver is opened. */
export function createLiveSession(
  { setup, billing, release }: PreparedSession,
  journal: Journal,
  beginning: DrivenBeginning,
  { parts, epoch, idleMinutes, onCards, onClosed }: LiveSessionOptions & { readonly onClosed: () => void },
): LiveSession {
  const { sessionId } = setup;
  const startedAtIso = parts.nowIso();
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
  const idle = createIdleTimer(idleMinutes, (why) => driver.take({ type: "close", why }));
  const onEnvelopes = (bodies: readonly EnvelopeBody[]): void => {
    journal.write(bodies);
    if (bodies.some(isAboutCard)) onCards?.(sessionId);
    const state = stateOf(driver.state());
    idle.rearm(state === "idle");
    if (state !== "closed") return;
    release();
    tellClosed();
    onClosed();
  };
  const driver = createSessionDriver(beginning, { ...parts, onEnvelopes });
  return {
    sessionId,
    setup,
    driver,
    journal,
    idleMs: idle.idleMs,
    closed,
    toSession: () => ({ ...describe(setup, driver, journal), epoch, startedAtIso, billing }),
    pendingCard(requestId) {
      const request = driver.state().pending.get(requestId);
      return request && toCard(sessionId, journal.place(), request);
    },
  };
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

/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function createIdleTimer(minutes: number | null, onIdle: (why: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  let idleSince: number | null = null;
  return {
    idleMs: (): number => (idleSince === null ? 0 : performance.now() - idleSince),
    rearm(isIdle: boolean): void {
      idleSince = isIdle ? (idleSince ?? performance.now()) : null;
      clearTimeout(timer);
      if (!isIdle || minutes === null) return;
      const ms = Math.min(minutes * 60_000, LONGEST_TIMER_MS);
      timer = setTimeout(onIdle, ms, `idle for ${minutes} minutes`);
      timer.unref();
    },
  };
}
