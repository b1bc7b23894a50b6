import { asObject, text } from "../agents/read-json.ts";
import { DRIVEN_QUESTION_TOOL, requestKindOf } from "../agents/tool-call.ts";
import type { Card } from "./control-contract.ts";
import type { SessionLocation } from "./control-ports.ts";
import type { DrivenRequest } from "./driven-input.ts";
import type { Envelope, EnvelopeBody } from "./envelope.ts";
import { requestIdOf } from "./request-id.ts";
import { questionsOf } from "./step-request.ts";

/** Converts a request of a driven session to the card that clients show. */
export function toDrivenCard(sessionId: string, place: SessionLocation, request: DrivenRequest): Card {
  const { kind, toolUseId, tool, input, reason, rule, agentId, agentType, sinceIso } = request;
  return {
    id: requestIdOf(request),
    sessionId,
    source: "driven",
    kind,
    toolName: tool,
    toolUseId,
    input,
    questions: kind === "question" ? questionsOf(input) : [],
    plan: kind === "plan" ? (text(input, "plan") ?? null) : null,
    reason,
    rule,
    agentId,
    agentType,
    projectPath: place.projectPath,
    cwd: place.cwd,
    sinceIso,
    untilIso: null,
    status: "pending",
    whyTerminal: null,
    inputBytes: Buffer.byteLength(JSON.stringify(input) ?? ""),
    settled: null,
  };
}

/** Whether it opens or settles a request. */
export function changesCards({ type }: EnvelopeBody): boolean {
  return /^(permission|question)\.(request|resolved)$/.test(type);
}

type Resolved = Extract<Envelope, { readonly type: "permission.resolved" | "question.resolved" }>;

function toSettledCard(card: Card, { outcome, by, who, rule, ts }: Resolved): Card {
  const status = outcome === "lost" ? "lost" : "settled";
  return { ...card, status, settled: { outcome, by, who, rule, atIso: ts } };
}

/** Folds a session's envelopes into its requests in their final state; unsettled ones are `pending`. */
export function foldCards(
  sessionId: string,
  place: SessionLocation,
  envelopes: Iterable<Envelope>,
): Map<string, Card> {
  const cards = new Map<string, Card>();
  for (const envelope of envelopes) {
    const request = toRequest(envelope);
    if (request !== null) cards.set(requestIdOf(request), toDrivenCard(sessionId, place, request));
    if (envelope.type !== "permission.resolved" && envelope.type !== "question.resolved") continue;
    const card = cards.get(requestIdOf(envelope));
    if (card !== undefined) cards.set(card.id, toSettledCard(card, envelope));
  }
  return cards;
}

function toRequest(envelope: Envelope): DrivenRequest | null {
  if (envelope.type === "question.request") {
    const { toolUseId, requestId, questions, agentId, agentType = null, ts } = envelope;
    const fixed = { kind: "question", tool: DRIVEN_QUESTION_TOOL, reason: "", rule: null } as const;
    return { ...fixed, toolUseId, requestId, input: { questions }, agentId, agentType, sinceIso: ts };
  }
  if (envelope.type !== "permission.request") return null;
  const { toolUseId, requestId, tool, reason, rule, agentId, agentType, ts } = envelope;
  const kind = requestKindOf({ toolName: tool }) === "plan" ? "plan" : "permission";
  const input = asObject(envelope.input);
  return { kind, toolUseId, requestId, tool, input, reason, rule, agentId, agentType, sinceIso: ts };
}
