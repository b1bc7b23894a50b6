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
  let session: PastSession = { ...NO_PAST_SESSION, settled };
  for (const envelope of envelopes) {
    const { epoch, seq, ts } = envelope;
    session = { ...session, epoch, seq, startedAtIso: session.startedAtIso ?? ts };
    if (envelope.type === "init") session = { ...session, init: envelope };
    else if (envelope.type === "state") session = { ...session, state: envelope.state, why: envelope.why };
    else if (envelope.type === "mode") session = { ...session, mode: envelope.mode };
    else if (envelope.type === "result") {
      const usage = sumUsage(session.usage, envelope.usage);
      session = { ...session, totalCostUsd: envelope.totalCostUsd, usage };
    } else if (envelope.type === "permission.resolved" || envelope.type === "question.resolved")
      settled.add(requestIdOf(envelope));
  }
  return session;
}

/** What a resumed session continues from. A fork carries over no cost; only the agent knows the totals. */
export function toDrivenStart(session: PastSession, fork: boolean): Partial<DrivenStart> {
  if (fork) return { reportedTotals: null };
  return {
    reportedTotals: null,
    totalCostUsd: session.totalCostUsd,
    usage: session.usage,
    settled: session.settled,
  };
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
  session: PastSession,
): DrivenSession {
  return {
    sessionId,
    claudeSessionId: session.init?.claudeSessionId ?? sessionId,
    cwd: place.cwd,
    projectPath: place.projectPath,
    state: "closed",
    why: session.why,
    mode: session.mode,
    model: session.init?.model ?? null,
    epoch: session.epoch,
    seq: session.seq,
    startedAtIso: session.startedAtIso ?? "",
    partialText: "",
    tools: [],
    pending: [],
    queuedMessages: 0,
    backgroundTasks: 0,
    usage: session.usage,
    totalCostUsd: session.totalCostUsd,
    maxBudgetUsd: null,
    billing: null,
    pid: null,
  };
}
