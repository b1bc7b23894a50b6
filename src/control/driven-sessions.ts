import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerFormat } from "../agents/answer-format.ts";
import { type OpenQuery, openQuery } from "./agent-sdk.ts";
import { createRequestIds } from "./claim-request-id.ts";
import type { ClaudeProcesses, DrivenSessions, EnvelopeStore, SdkLog } from "./control-ports.ts";
import { createDrivenCommands } from "./driven-commands.ts";
import { createDrivenQueries } from "./driven-queries.ts";
import type { JudgeCall } from "./gate.ts";
import { createJournals } from "./journals.ts";
import type { LiveSession } from "./live-session.ts";
import { createLiveSessions, type LiveSessions, type Room } from "./live-sessions.ts";
import { createLostCards, type LostCards } from "./lost-cards.ts";
import type { MaskEnvelope } from "./mask-envelopes.ts";
import { closeSession } from "./session-actions.ts";
import { type StartOptions, startSession } from "./start-session.ts";

export interface DrivenSessionsOptions extends StartOptions {
  readonly store: EnvelopeStore;
  readonly processes: ClaudeProcesses;
  readonly judge: JudgeCall;
  readonly log: SdkLog | null;
  readonly config: StartOptions["config"] & {
    readonly maxSessions: number;
    readonly idleMinutes: number | null;
  };
  readonly now: () => number;
  readonly onNotice: (text: string) => void;
  /** Called when the result of `cards` has changed. */
  readonly onCards?: ((sessionId: string) => void) | undefined;
  /** Creates the mask for one session, which removes what must not be stored or shown. */
  readonly createMask?: (() => MaskEnvelope) | undefined;
  readonly openQuery?: OpenQuery;
  readonly gateTimeoutMs?: number;
  /** Format of the gate's answers. */
  readonly answers: AnswerFormat;
  readonly room?: Room;
}

/** An attached viewer keeps an idle session open; others get a grace period before their next message. */
const DEFAULT_ROOM: Room = { idleMs: 60_000, attached: false };
/** How long a lost request is shown, unless its session continued. */
const LOST_RETENTION_MS = 7 * 86_400_000;
/** How long to wait for all sessions to close before killing the remaining processes. */
const CLOSE_ALL_TIMEOUT_MS = 6_000;

/** All sessions driven by this process. Requests that an earlier process left open are reported lost. */
export function openDrivenSessions(options: DrivenSessionsOptions): DrivenSessions {
  const { store, onNotice, onCards, createMask } = options;
  const epoch = randomUUID();
  const ending = new AbortController();
  const lost = createLostCards();
  const live = openLive(options, epoch, lost);
  const journals = createJournals({
    store,
    epoch,
    nowIso: () => toIso(options.now()),
    onNotice,
    createMask,
    isInUse: (sessionId) => isInUse(live.get(sessionId)),
  });
  const recovered = journals.recover(toIso(options.now() - LOST_RETENTION_MS)).then(lost.add);
  // Callers that await it get the error.
  recovered.catch(() => undefined);
  const parts = { live, journals, lost, recovered };
  const starting = { options, live, journals, recovered, ending: ending.signal };
  return {
    recovered,
    ...createDrivenCommands({
      ...parts,
      start: (request, asksAgain) => startSession(starting, request, asksAgain),
      onCards,
    }),
    ...createDrivenQueries(parts),
    async closeAll() {
      ending.abort();
      const closed = Promise.all(live.all().map((session) => closeSession(session, "Hookline was stopped")));
      await Promise.race([
        closed.then(() => journals.flush()),
        sleep(CLOSE_ALL_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}

function openLive(options: DrivenSessionsOptions, epoch: string, lost: LostCards): LiveSessions {
  const { config, processes, judge, log, gateTimeoutMs, answers, room = DEFAULT_ROOM, onCards } = options;
  const { maxSessions, idleMinutes } = config;
  const parts = {
    openQuery: options.openQuery ?? openQuery,
    processes,
    log,
    judge,
    nowIso: () => toIso(options.now()),
    requestIds: createRequestIds((id) => lost.find(id) !== undefined),
    gateTimeoutMs,
    answers,
  };
  return createLiveSessions({ parts, epoch, maxSessions, idleMinutes, room, onCards });
}

function isInUse(session: LiveSession | undefined): boolean {
  return session !== undefined && session.driver.state().lifecycle !== "closed";
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
