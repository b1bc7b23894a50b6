import type { DrivenSession } from "./control-contract.ts";
import type { SessionLocation } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import type { DrivenStart } from "./driven-state.ts";
import type { DrivenState, Envelope, EnvelopeBody, TokenUsage } from "./envelope.ts";
import { requestIdOf } from "./request-id.ts";
import { toResolved } from "./step-request.ts";
import { NO_USAGE, sumUsage } from "./turn-cost.ts";

/** What a session's stored envelopes say about it. */
export interface PastSession {
  readonly init: Extract<EnvelopeBody, { readonly type: "init" }> | null;
  readonly state: DrivenState;
  readonly why: string | null;
  readonly mode: string;
  readonly totalCostUsd: number;
  readonly usage: TokenUsage;
  readonly settled: ReadonlySet<string>;
  readonly startedAtIso: string | null;
  readonly epoch: string;
  readonly seq: number;
}

const NO_PAST_SESSION: PastSession = {
  init: null,
  state: "closed",
  why: null,
  mode: "default",
  totalCostUsd: 0,
  usage: NO_USAGE,
  settled: new Set(),
  startedAtIso: null,
  epoch: "",
  seq: 0,
};

export function foldPastSession(envelopes: Iterable<Envelope>): PastSession {
  const settled = new Set<string>();
  let life: PastSession = { ...NO_PAST_SESSION, settled };
  for (const envelope of envelopes) {
    const { epoch, seq, ts } = envelope;
    life = { ...life, epoch, seq, startedAtIso: life.startedAtIso ?? ts };
    if (envelope.type === "init") life = { ...life, init: envelope };
    else if (envelope.type === "state") life = { ...life, state: envelope.state, why: envelope.why };
    else if (envelope.type === "mode") life = { ...life, mode: envelope.mode };
    else if (envelope.type === "result") {
      const usage = sumUsage(life.usage, envelope.usage);
      life = { ...life, totalCostUsd: envelope.totalCostUsd, usage };
    } else if (envelope.type === "permission.resolved" || envelope.type === "question.resolved")
      settled.add(requestIdOf(envelope));
  }
  return life;
}

/** What a resumed session continues from. A fork carries over no cost; only the agent knows the totals. */
export function toDrivenStart(life: PastSession, fork: boolean): Partial<DrivenStart> {
  if (fork) return { reportedTotals: null };
  return { reportedTotals: null, totalCostUsd: life.totalCostUsd, usage: life.usage, settled: life.settled };
}

/** What to append after a driver that crashed: its open requests as lost, and the end of the session. */
export function closingEnvelopes(
  sessionId: string,
  place: SessionLocation,
  envelopes: Iterable<Envelope>,
): EnvelopeBody[] {
  const open = [...foldCards(sessionId, place, envelopes).values()].filter(
    ({ status }) => status === "pending",
  );
  const lost = open.map(({ kind, id, toolUseId }) => {
    const ids = toolUseId === null || toolUseId === id ? { toolUseId: id } : { toolUseId, requestId: id };
    return toResolved({ kind, ...ids }, { outcome: "lost", by: "lost" });
  });
  return [...lost, { type: "state", state: "closed", why: "Hookline was stopped" }];
}

/** Requests lost with the last process of a session. Once the session continues, they no longer matter. */
export function lostRequestIds(envelopes: Iterable<Envelope>): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const envelope of envelopes) {
    if (envelope.type === "user" || envelope.type === "mode") lost.clear();
    const isSettled = envelope.type === "permission.resolved" || envelope.type === "question.resolved";
    if (isSettled && envelope.outcome === "lost") lost.add(requestIdOf(envelope));
  }
  return lost;
}

/** A session of an earlier process, as shown in lists. */
export function describePastSession(
  sessionId: string,
  place: SessionLocation,
  life: PastSession,
): DrivenSession {
  return {
    sessionId,
    claudeSessionId: life.init?.claudeSessionId ?? sessionId,
    cwd: place.cwd,
    projectPath: place.projectPath,
    state: "closed",
    why: life.why,
    mode: life.mode,
    model: life.init?.model ?? null,
    epoch: life.epoch,
    seq: life.seq,
    startedAtIso: life.startedAtIso ?? "",
    partialText: "",
    tools: [],
    pending: [],
    queuedMessages: 0,
    backgroundTasks: 0,
    usage: life.usage,
    totalCostUsd: life.totalCostUsd,
    maxBudgetUsd: null,
    billing: null,
    pid: null,
  };
}
