/**
 * Requests that wait for a person, as every terminal view shows them: the raw request if the daemon has a
 * card for it, else the session's record. Cards and records are matched only by id.
 */

import { textOfCall } from "../agents/tool-call.ts";
import type { Card, CardKind } from "../control/control-contract.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { MAX_SHOWN_BYTES, type ShownPart, showRequest } from "../shown/show-request.ts";
import { visibleText } from "../shown/visible-text.ts";

export type RecordedRequest = SessionSnapshot["requests"][number];

export interface WaitingRequest {
  readonly id: string;
  readonly sessionId: string;
  /** Null for a session that is in no snapshot yet. */
  readonly session: SessionSnapshot | null;
  readonly kind: CardKind;
  readonly toolName: string | null;
  /** A short summary for lists: incomplete, and not what an answer refers to. */
  readonly text: string;
  readonly description: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly sinceIso: string;
  /** Null when the request is not held: only its terminal can answer. */
  readonly card: Card | null;
  /** What is rendered, and hashed for an answer. */
  readonly parts: readonly ShownPart[];
}

/** Requests that read the same, oldest first: an answer goes to the oldest. */
export interface EqualRequests {
  readonly first: WaitingRequest;
  readonly ids: readonly string[];
  /** Equal for groups that read the same. */
  readonly key: string;
}

/** All requests of these cards and sessions, oldest first. */
export function toWaitingRequests(
  cards: readonly Card[],
  sessions: readonly SessionSnapshot[],
): readonly WaitingRequest[] {
  const byId = new Map(sessions.map((session) => [session.sessionId, session]));
  const open = cards.filter(({ status }) => status !== "settled");
  const known = new Set(open.map(({ sessionId, id }) => `${sessionId} ${id}`));
  const recorded = sessions.flatMap((session) =>
    recordedRequests(session)
      .filter(({ requestId }) => !known.has(`${session.sessionId} ${requestId}`))
      .map((request) => fromRecord(session, request)),
  );
  const raw = open.map((card) => fromCard(card, byId.get(card.sessionId) ?? null));
  return [...raw, ...recorded].sort(byAge);
}

/** Groups equal requests: same session, same text on the screen, answered in the same place. */
export function groupEqual(requests: readonly WaitingRequest[]): readonly EqualRequests[] {
  const groups = Map.groupBy(
    requests,
    ({ sessionId, card, parts }) => `${sessionId} ${card?.status} ${partsKey(parts)}`,
  );
  return [...groups].map(([key, equal]) => ({ first: equal[0]!, ids: equal.map(({ id }) => id), key }));
}

/** The requests in a session's record. Snapshots from older daemons name only the first. */
export function recordedRequests({
  needsPerson,
  requests,
  waiting,
}: SessionSnapshot): readonly RecordedRequest[] {
  if (!needsPerson) return [];
  return requests.length > 0 || waiting === null ? requests : [waiting];
}

export function isAnswerable({ card }: WaitingRequest): boolean {
  return card?.status === "pending";
}

export function isTooLarge({ card }: WaitingRequest): boolean {
  return card !== null && card.inputBytes > MAX_SHOWN_BYTES;
}

export function fromCard(card: Card, session: SessionSnapshot | null): WaitingRequest {
  const { id, sessionId, kind, toolName, agentId, agentType, sinceIso, input } = card;
  const toolInput = kind === "question" ? { questions: card.questions } : input;
  const text = textOfCall({ toolName, ...(kind !== "permission" && { toolKind: kind }), toolInput });
  const rawDescription = (input as { readonly description?: unknown } | null)?.description;
  const description = typeof rawDescription === "string" && rawDescription !== "" ? rawDescription : null;
  const common = { kind, toolName, text, description, agentId, agentType, sinceIso };
  return { ...common, id, sessionId, session, card, parts: partsOf(card) };
}

const partsKeys = new WeakMap<readonly ShownPart[], string>();

function partsKey(parts: readonly ShownPart[]): string {
  const known = partsKeys.get(parts) ?? JSON.stringify(parts);
  partsKeys.set(parts, known);
  return known;
}

/** Rendering a long request takes milliseconds, and `top` draws the same card many times. */
const shownParts = new WeakMap<Card, readonly ShownPart[]>();

function partsOf(card: Card): readonly ShownPart[] {
  const known = shownParts.get(card);
  if (known !== undefined) return known;
  const parts = showRequest(card);
  shownParts.set(card, parts);
  return parts;
}

function fromRecord(session: SessionSnapshot, recorded: RecordedRequest): WaitingRequest {
  const { requestId, kind, toolName, text, description, agentId, agentType, sinceIso } = recorded;
  const common = { kind, toolName, text, description, agentId, agentType, sinceIso };
  const parts = recordedParts(recorded);
  return { ...common, id: requestId, sessionId: session.sessionId, session, card: null, parts };
}

function recordedParts(recorded: RecordedRequest): ShownPart[] {
  const { toolName, agentId, agentType, description, text, questions } = recorded;
  const part = (role: ShownPart["role"], value: string | null, name: string = role): ShownPart[] =>
    value === null || value === "" ? [] : [{ role, name, text: visibleText(value) }];
  return [
    ...part("tool", toolName),
    ...part("agent", agentId === null ? null : `${agentType ?? "subagent"} ${agentId}`),
    ...part("description", description),
    ...part("field", questions.length > 0 ? null : text, "recorded"),
    ...questions.flatMap(({ question, options }) => [
      ...part("question", question),
      ...options.flatMap(({ label, description: about }) => [
        ...part("option", label),
        ...part("about", about),
      ]),
    ]),
  ];
}

function byAge(a: WaitingRequest, b: WaitingRequest): number {
  if (a.sinceIso !== b.sinceIso) return a.sinceIso < b.sinceIso ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
