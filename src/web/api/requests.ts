import { useMemo } from "react";
import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { type ShownPart, showRequest } from "../../shown/show-request.ts";
import { cards, settledCards } from "./cards.ts";
import { live } from "./live.ts";
import { useStore } from "./store.ts";

type Recorded = SessionSnapshot["requests"][number];

/** One item that needs a person: a request, or a session whose turn failed. */
export interface AttentionRequest {
  /** The request's id; `failed:…` for a session without a pending request. */
  readonly key: string;
  readonly sessionId: string;
  readonly session: SessionSnapshot | null;
  /** The request itself, raw and in full. Answers refer only to this. */
  readonly card: Card | null;
  /** As in the log: masked and shortened. */
  readonly recorded: Recorded | null;
  readonly sinceIso: string;
  /** Equal requests of a session are grouped, oldest first: an answer goes to the oldest. */
  readonly ids: readonly string[];
}

type Sessions = ReadonlyMap<string, SessionSnapshot>;

/**
 * All requests, longest wait first. Cards and records are matched only by id. `settled` are requests whose
 * card is gone: their session's record is out of date.
 */
export function joinRequests(
  sessions: Sessions,
  waitingCards: readonly Card[],
  settled: ReadonlySet<string> = new Set(),
): AttentionRequest[] {
  const byId = new Map(waitingCards.map((card) => [card.id, card]));
  const joined: AttentionRequest[] = [];
  for (const session of sessions.values()) {
    const hasCard = hasUnrecorded(session, byId.values());
    for (const recorded of session.requests) {
      if (hasCard && isRegistryKey(recorded.requestId)) continue;
      const card = byId.get(recorded.requestId) ?? null;
      byId.delete(recorded.requestId);
      if (card === null && settled.has(recorded.requestId)) continue;
      joined.push(toAttentionRequest(recorded.requestId, session.sessionId, session, card, recorded));
    }
    if (session.needsPerson && session.requests.length === 0)
      joined.push(toAttentionRequest(`failed:${session.sessionId}`, session.sessionId, session, null, null));
  }
  for (const card of byId.values())
    if (card.status !== "settled")
      joined.push(
        toAttentionRequest(card.id, card.sessionId, sessions.get(card.sessionId) ?? null, card, null),
      );
  return joined.sort(
    (a, b) =>
      Number(isLost(a)) - Number(isLost(b)) || compare(a.sinceIso, b.sinceIso) || compare(a.key, b.key),
  );
}

/** The agent's registry reports a waiting session before the hook that names the request arrives. */
export function isRegistryKey(key: string): boolean {
  return key.startsWith("registry:");
}

/** Whether there is a pending card that the session does not list yet. */
function hasUnrecorded({ sessionId, requests }: SessionSnapshot, waitingCards: Iterable<Card>): boolean {
  const listed = new Set(requests.map(({ requestId }) => requestId));
  for (const card of waitingCards)
    if (card.sessionId === sessionId && card.status === "pending" && !listed.has(card.id)) return true;
  return false;
}

/** No agent is waiting for the answer any more, but the request can be sent again. */
export function isLost({ card }: AttentionRequest): boolean {
  return card?.status === "lost";
}

/** Groups requests that show the same text. */
export function groupEqual(all: readonly AttentionRequest[]): AttentionRequest[] {
  const grouped = new Map<string, AttentionRequest>();
  for (const request of all) {
    const { card, sessionId, key } = request;
    const groupKey = card === null ? key : `${sessionId} ${card.status} ${card.kind} ${textKey(card)}`;
    const first = grouped.get(groupKey);
    grouped.set(groupKey, first === undefined ? request : { ...first, ids: [...first.ids, ...request.ids] });
  }
  return [...grouped.values()];
}

export function useRequests(): readonly AttentionRequest[] {
  const { sessions } = useStore(live);
  const waitingCards = useStore(cards);
  const settled = useStore(settledCards);
  return useMemo(() => joinRequests(sessions, waitingCards, settled), [sessions, waitingCards, settled]);
}

export interface AttentionCounts {
  readonly sessions: number;
  readonly requests: number;
  /** Requests and failed turns. */
  readonly all: number;
}

/** Counts the sessions that need a person and their requests. Lost requests don't count. */
export function countAttention(all: readonly AttentionRequest[]): AttentionCounts {
  const waiting = all.filter((request) => !isLost(request));
  return {
    sessions: new Set(waiting.map(({ sessionId }) => sessionId)).size,
    requests: waiting.filter(({ card, recorded }) => card !== null || recorded !== null).length,
    all: waiting.length,
  };
}

export function useAttentionCounts(): AttentionCounts {
  const all = useRequests();
  return useMemo(() => countAttention(all), [all]);
}

const shownCache = new WeakMap<Card, { readonly parts: readonly ShownPart[]; readonly key: string }>();

function shownOf(card: Card) {
  const cached = shownCache.get(card);
  if (cached !== undefined) return cached;
  const parts = showRequest(card);
  const shown = { parts, key: JSON.stringify(parts) };
  shownCache.set(card, shown);
  return shown;
}

export function partsOf(card: Card): readonly ShownPart[] {
  return shownOf(card).parts;
}

/** Equal if and only if the same text is shown. */
export function textKey(card: Card): string {
  return shownOf(card).key;
}

function toAttentionRequest(
  key: string,
  sessionId: string,
  session: SessionSnapshot | null,
  card: Card | null,
  recorded: Recorded | null,
): AttentionRequest {
  const sinceIso = card?.sinceIso ?? recorded?.sinceIso ?? session?.sinceIso ?? "";
  return { key, sessionId, session, card, recorded, sinceIso, ids: [key] };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
