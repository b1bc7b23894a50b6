import type { Card, DrivenSession } from "./control-contract.ts";
import { createSessionDriver, type SessionDriver, type SessionParts } from "./drive-session.ts";
import { changesCards, toDrivenCard } from "./driven-cards.ts";
import { backgroundTaskIds, type DrivenStart, stateOf } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import type { Journal } from "./journal.ts";
import type { SessionSetup } from "./session-options.ts";

/** A session that this process drives, or drove. */
export interface LiveSession {
  readonly sessionId: string;
  readonly setup: SessionSetup;
  readonly driver: SessionDriver;
  readonly journal: Journal;
  /** How long it has been idle; 0 while it is busy. */
  readonly idleMs: () => number;
  readonly closed: Promise<void>;
  toSession(): DrivenSession;
  /** The raw request, while it is pending. */
  pendingCard(requestId: string): Card | undefined;
}

/** A session that passed all checks; `release` frees its lock. */
export interface PreparedSession {
  readonly setup: SessionSetup;
  /** Who pays, as text. */
  readonly billing: string;
  readonly release: () => void;
}

export interface LiveSessionOptions {
  readonly parts: Omit<SessionParts, "onEnvelopes">;
  readonly epoch: string;
  readonly idleMinutes: number | null;
  /** Called when the session's pending requests have changed. */
  readonly onCards?: ((sessionId: string) => void) | undefined;
}

/** Drives a prepared session; it does nothing until its driver is opened. */
export function createLiveSession(
  { setup, billing, release }: PreparedSession,
  journal: Journal,
  initial: DrivenStart,
  { parts, epoch, idleMinutes, onCards, onClosed }: LiveSessionOptions & { readonly onClosed: () => void },
): LiveSession {
  const { sessionId } = setup;
  const startedAtIso = parts.nowIso();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<void>();
  const idle = createIdleTimer(idleMinutes, (why) => driver.dispatch({ type: "close", why }));
  const onEnvelopes = (bodies: readonly EnvelopeBody[]): void => {
    journal.write(bodies);
    if (bodies.some(changesCards)) onCards?.(sessionId);
    const state = stateOf(driver.state());
    idle.rearm(state === "idle");
    if (state !== "closed") return;
    release();
    resolveClosed();
    onClosed();
  };
  const driver = createSessionDriver(initial, { ...parts, onEnvelopes });
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
      return request && toDrivenCard(sessionId, journal.location(), request);
    },
  };
}

function describe(
  { sessionId, cwd, projectPath }: SessionSetup,
  driver: SessionDriver,
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
    pending: [...driven.pending.values()].map((request) =>
      toDrivenCard(sessionId, journal.location(), request),
    ),
    queuedMessages: [...driven.messages.values()].filter((state) => state !== "started").length,
    backgroundTasks: backgroundTaskIds(driven).length,
    usage: driven.usage,
    totalCostUsd: driven.totalCostUsd,
    maxBudgetUsd: driven.maxBudgetUsd,
    pid: driver.pid(),
  };
}

/** A longer timer would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function createIdleTimer(minutes: number | null, onIdle: (why: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  let idleSince: number | null = null;
  return {
    idleMs: (): number => (idleSince === null ? 0 : performance.now() - idleSince),
    rearm(isIdle: boolean): void {
      idleSince = isIdle ? (idleSince ?? performance.now()) : null;
      clearTimeout(timer);
      if (!isIdle || minutes === null) return;
      const ms = Math.min(minutes * 60_000, MAX_TIMER_MS);
      timer = setTimeout(onIdle, ms, `idle for ${minutes} minutes`);
      timer.unref();
    },
  };
}
