import { useMemo } from "react";
import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { type ShownPart, showRequest } from "../../shown/show-request.ts";
import { cards, settledCards } from "./cards.ts";
import { live } from "./live.ts";
import { useStore } from "./store.ts";

type Recorded = SessionSnapshot["requests"][number];

/** One thing that needs a person: a request, or a session whose turn failed. */
export interface NeedsYou {
  /** The request's id; `failed:…` for a session that waits for no answer. */
  readonly key: string;
  readonly sessionId: string;
  readonly session: SessionSnapshot | null;
  /** The request itself, raw and whole. Only this is ever answered. */
  readonly card: Card | null;
  /** As the log has it: masked and shortened. */
  readonly recorded: Recorded | null;
  readonly sinceIso: string;
  /** Equal requests of the same session are one, the oldest first: an answer goes to the oldest. */
  readonly ids: readonly string[];
}

type Sessions = ReadonlyMap<string, SessionSnapshot>;

/**
 * All of them, the one that has waited longest first. A card and a record belong together by their id alone. `settled`
 * are requests whose card is gone: what their session's record still says of them is out of date.
 */
export function joinRequests(
  sessions: Sessions,
  waitingCards: readonly Card[],
  settled: ReadonlySet<string> = new Set(),
): NeedsYou[] {
  const byId = new Map(waitingCards.map((card) => [card.id, card]));
  const joined: NeedsYou[] = [];
  for (const session of sessions.values()) {
    const isNamed = hasUnrecorded(session, byId.values());
    for (const recorded of session.requests) {
      if (isNamed && isUnnamed(recorded.requestId)) continue;
      const card = byId.get(recorded.requestId) ?? null;
      byId.delete(recorded.requestId);
      if (card === null && settled.has(recorded.requestId)) continue;
      joined.push(toNeed(recorded.requestId, session.sessionId, session, card, recorded));
    }
    if (session.needsPerson && session.requests.length === 0)
      joined.push(toNeed(`failed:${session.sessionId}`, session.sessionId, session, null, null));
  }
  for (const card of byId.values())
    if (card.status !== "settled")
      joined.push(toNeed(card.id, card.sessionId, sessions.get(card.sessionId) ?? null, card, null));
  return joined.sort(
    (a, b) =>
      Number(isLost(a)) - Number(isLost(b)) || compare(a.sinceIso, b.sinceIso) || compare(a.key, b.key),
  );
}

/** The agent's registry says that its session waits before the hook is heard that names the request. */
export function isUnnamed(key: string): boolean {
  return key.startsWith("registry:");
}

/** Whether a card waits that the session does not list yet. */
function hasUnrecorded({ sessionId, requests }: SessionSnapshot, waitingCards: Iterable<Card>): boolean {
  const listed = new Set(requests.map(({ requestId }) => requestId));
  for (const card of waitingCards)
    if (card.sessionId === sessionId && card.status === "pending" && !listed.has(card.id)) return true;
  return false;
}

/** Nobody waits for an answer to it any more, but it can be asked again. */
export function isLost({ card }: NeedsYou): boolean {
  return card?.status === "lost";
}

/** Requests that show the same are one place, marked with how many there are. */
export function groupEqual(all: readonly NeedsYou[]): NeedsYou[] {
  const grouped = new Map<string, NeedsYou>();
  for (const one of all) {
    const { card, sessionId, key } = one;
    const same = card === null ? key : `${sessionId} ${card.status} ${card.kind} ${textKey(card)}`;
    const first = grouped.get(same);
    grouped.set(same, first === undefined ? one : { ...first, ids: [...first.ids, ...one.ids] });
  }
  return [...grouped.values()];
}

export function useRequests(): readonly NeedsYou[] {
  const { sessions } = useStore(live);
  const waitingCards = useStore(cards);
  const settled = useStore(settledCards);
  return useMemo(() => joinRequests(sessions, waitingCards, settled), [sessions, waitingCards, settled]);
}

export interface Needs {
  readonly sessions: number;
  readonly requests: number;
  /** Requests, and turns that failed. */
  readonly all: number;
}

/** How many sessions need a person, and with how many requests. What was lost waits for nobody. */
export function countNeeds(all: readonly NeedsYou[]): Needs {
  const waiting = all.filter((need) => !isLost(need));
  return {
    sessions: new Set(waiting.map(({ sessionId }) => sessionId)).size,
    requests: waiting.filter(({ card, recorded }) => card !== null || recorded !== null).length,
    all: waiting.length,
  };
}

export function useNeeds(): Needs {
  const all = useRequests();
  return useMemo(() => countNeeds(all), [all]);
}

const known = new WeakMap<Card, { readonly parts: readonly ShownPart[]; readonly key: string }>();

function shownOf(card: Card) {
  const before = known.get(card);
  if (before !== undefined) return before;
  const parts = showRequest(card);
  const shown = { parts, key: JSON.stringify(parts) };
  known.set(card, shown);
  return shown;
}

export function partsOf(card: Card): readonly ShownPart[] {
  return shownOf(card).parts;
}

/** Equal where and only where the same is shown. */
export function textKey(card: Card): string {
  return shownOf(card).key;
}

function toNeed(
  key: string,
  sessionId: string,
  session: SessionSnapshot | null,
  card: Card | null,
  recorded: Recorded | null,
): NeedsYou {
  const sinceIso = card?.sinceIso ?? recorded?.sinceIso ?? session?.sinceIso ?? "";
  return { key, sessionId, session, card, recorded, sinceIso, ids: [key] };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
