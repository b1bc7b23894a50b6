import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { get, Refused, send } from "./client.ts";
import { cardsTold, resets } from "./live.ts";
import { createStore } from "./store.ts";

/** Requests that wait for a person, raw and whole. */
export const cards = createStore<readonly Card[]>([]);

/** How requests ended that were answered on this page, by their ids. */
export const answered = createStore<ReadonlyMap<string, Ending>>(new Map());
export interface Ending {
  readonly how: "allow" | "allowAll" | "deny" | "answered" | "elsewhere";
  readonly atMs: number;
}

/** Requests whose card was settled a moment ago. Their session's record may still list them. */
export const settledCards = createStore<ReadonlySet<string>>(new Set());

/** A request that its session still lists after this is shown again. */
const SETTLING_MS = 10_000;
const AGAIN_MS = 1_000;
const MAX_ANSWERED = 200;

/** Fetched whenever the stream says that they changed. One fetch at a time: the last answer is the newest. */
export function followCards(): () => void {
  let isAsking = false;
  let isStale = false;
  let lastRound = resets.get();
  let again: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    clearTimeout(again);
    isStale = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      const round = resets.get();
      const fetched = keepEqual((await get<{ cards: Card[] }>("/api/control/cards")).cards);
      const listed = new Set(fetched.map(({ id }) => id));
      // Before the cards, so that no page ever has the record of a settled request without its card.
      if (round === lastRound && round === resets.get())
        markSettled(cards.get().flatMap(({ id }) => (listed.has(id) ? [] : [id])));
      lastRound = round;
      cards.set(fetched);
    } catch (error) {
      // The connection's state is shown elsewhere; the change must still be read.
      if (!(error instanceof Refused) || error.status >= 500) again = setTimeout(look, AGAIN_MS);
    }
    isAsking = false;
    if (isStale) void look();
  };
  const unsubscribe = cardsTold.subscribe(() => void look());
  return () => {
    unsubscribe();
    clearTimeout(again);
  };
}

export function refreshCards(): void {
  cardsTold.set(cardsTold.get() + 1);
}

/** `answer.shown` is the hash of what this page has rendered of the request. */
export async function answerCard(id: string, answer: CardAnswer & { readonly shown: string }): Promise<Card> {
  const settled = await send<Card>("POST", `/api/control/cards/${encodeURIComponent(id)}/answer`, {
    who: "browser",
    commandId: crypto.randomUUID(),
    ...answer,
  });
  markEnded(id, answer.decision ?? "answered");
  markSettled([id]);
  cards.set(cards.get().filter((card) => card.id !== id));
  return settled;
}

function markSettled(ids: readonly string[]): void {
  if (ids.length === 0) return;
  settledCards.set(new Set([...settledCards.get(), ...ids]));
  setTimeout(() => {
    const rest = new Set(settledCards.get());
    for (const id of ids) rest.delete(id);
    settledCards.set(rest);
  }, SETTLING_MS);
}

export function markEnded(id: string, how: Ending["how"]): void {
  const ending = [id, { how, atMs: Date.now() }] as const;
  answered.set(new Map([...answered.get(), ending].slice(-MAX_ANSWERED)));
}

/** A card that did not change stays the same object, so that what was worked out of it stays, too. */
function keepEqual(fetched: readonly Card[]): readonly Card[] {
  const before = new Map(cards.get().map((card) => [card.id, card]));
  return fetched.map((card) => {
    const old = before.get(card.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(card) ? old : card;
  });
}
