import type { DrivenChange, Steps } from "./driven-change.ts";
import type { DrivenRequest, Effect, Reply, Settlement } from "./driven-input.ts";
import type { Driven } from "./driven-state.ts";
import type { EnvelopeBody, SettledBy } from "./envelope.ts";
import { type RequestRef, requestIdOf } from "./request-id.ts";

/** Requests that wait for a person. Each settles once: a request no longer pending is left unchanged. */
export const requestSteps: Steps<"decision" | "asked" | "withdrawn" | "answer"> = {
  decision: (_driven, decision) => ({ envelopes: [decision] }),

  asked: (driven, { request }) => {
    const id = requestIdOf(request);
    const cannotAsk = driven.lifecycle !== "open" || driven.stopping;
    if (driven.pending.has(id)) return {};
    if (cannotAsk || driven.settled.has(id)) return { effects: [denyEffect(id, "The session was stopped.")] };
    return {
      state: { pending: new Map(driven.pending).set(id, request) },
      envelopes: [toRequest(request)],
    };
  },

  withdrawn: (driven, { requestId }) => {
    const request = driven.pending.get(requestId);
    if (request === undefined) return {};
    return settle(driven, request, { outcome: "withdrawn", by: driven.stopping ? "stopped" : "cancelled" });
  },

  answer: (driven, { requestId, answer }) => {
    const request = driven.pending.get(requestId);
    if (request === undefined) return {};
    const settled = settle(driven, request, answer, answer.reply);
    if (request.kind !== "plan" || answer.outcome === "deny") return settled;
    const mode = answer.mode ?? driven.modeBeforePlan;
    return {
      ...settled,
      state: { ...settled.state, mode, modeBeforePlan: mode },
      envelopes: [...(settled.envelopes ?? []), { type: "mode", mode, by: answer.who ?? "user" }],
    };
  },
};

/** Before a stop or an end: leaves nothing open and reports nothing twice. */
export function settleAll(driven: Driven, by: "stopped" | "ended"): DrivenChange {
  const envelopes = [...driven.pending.values()].map((request) =>
    toResolved(request, { outcome: "withdrawn", by }),
  );
  return {
    state: { pending: new Map(), settled: new Set([...driven.settled, ...driven.pending.keys()]) },
    envelopes: envelopes,
  };
}

type Outcome = Pick<Settlement, "by"> &
  Partial<Pick<Settlement, "who" | "rule" | "answers" | "scope">> & {
    readonly outcome: Settlement["outcome"] | "withdrawn" | "lost";
  };

function settle(driven: Driven, request: DrivenRequest, outcome: Outcome, reply?: Reply): DrivenChange {
  const requestId = requestIdOf(request);
  const pending = new Map(driven.pending);
  pending.delete(requestId);
  const rule = outcome.outcome === "allowAll" ? [toRule(request, outcome)] : [];
  return {
    state: { pending, settled: new Set(driven.settled).add(requestId) },
    envelopes: [toResolved(request, outcome), ...rule],
    effects: reply === undefined ? [] : [{ type: "reply", requestId, reply }],
  };
}

function toRule({ tool, toolUseId }: DrivenRequest, { scope, rule }: Outcome): EnvelopeBody {
  return { type: "rule", rule: rule ?? `session/${tool}`, scope: scope ?? "exact", toolUseId };
}

function toRequest(request: DrivenRequest): EnvelopeBody {
  const { kind, tool, input, reason, rule, agentId, agentType } = request;
  const ids = idsOf(request);
  if (kind === "question")
    return { type: "question.request", ...ids, questions: questionsOf(input), agentId, agentType };
  return { type: "permission.request", ...ids, tool, input, reason, rule, agentId, agentType };
}

/** Also used for a request that an earlier driver process left open. */
export function toResolved(
  request: RequestRef & Pick<DrivenRequest, "kind">,
  { outcome, by, who = null, rule = null, answers = null }: Outcome & { readonly by: SettledBy },
): EnvelopeBody {
  const resolved = { ...idsOf(request), outcome, by, who, rule };
  if (request.kind === "question")
    return { type: "question.resolved", ...resolved, answers: answers && { ...answers } };
  return { type: "permission.resolved", ...resolved };
}

function idsOf({ toolUseId, requestId }: RequestRef) {
  return { toolUseId, ...(requestId !== undefined && { requestId }) };
}

export function questionsOf(input: Readonly<Record<string, unknown>>): unknown[] {
  const { questions } = input;
  return Array.isArray(questions) ? questions : [];
}

export function denyEffect(requestId: string, message: string): Effect {
  return { type: "reply", requestId, reply: { behavior: "deny", message, interrupt: true } };
}
