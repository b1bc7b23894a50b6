import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { ApiError, get, send } from "./client.ts";
import { cardsVersion, streamResets } from "./live.ts";
import { createStore } from "./store.ts";

/** Requests that wait for a person, raw and in full. */
export const cards = createStore<readonly Card[]>([]);

/** Outcomes of requests answered on this page, by id. */
export const answered = createStore<ReadonlyMap<string, Ending>>(new Map());
export interface Ending {
  readonly outcome: "allow" | "allowAll" | "deny" | "answered" | "elsewhere";
  readonly atMs: number;
}

/** Requests whose card was settled a moment ago. Their session's record may still list them. */
export const settledCards = createStore<ReadonlySet<string>>(new Set());

/** A request that its session still lists after this is shown again. */
const SETTLED_MS = 10_000;
const RETRY_MS = 1_000;
const MAX_ANSWERED = 200;

/** Fetches the cards on every change in the stream, one request at a time, so responses arrive in order. */
export function followCards(): () => void {
  let isFetching = false;
  let isStale = false;
  let lastReset = streamResets.get();
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const fetchCards = async (): Promise<void> => {
    clearTimeout(retryTimer);
    isStale = isFetching;
    if (isFetching) return;
    isFetching = true;
    try {
      const reset = streamResets.get();
      const fetched = reuseUnchanged((await get<{ cards: Card[] }>("/api/control/cards")).cards);
      const listed = new Set(fetched.map(({ id }) => id));
      // Set before the cards, so no page shows the record of a settled request without its card.
      if (reset === lastReset && reset === streamResets.get())
        markSettled(cards.get().flatMap(({ id }) => (listed.has(id) ? [] : [id])));
      lastReset = reset;
      cards.set(fetched);
    } catch (error) {
      // The connection state is shown elsewhere; retry so the change is not missed.
      if (!(error instanceof ApiError) || error.status >= 500) retryTimer = setTimeout(fetchCards, RETRY_MS);
    }
    isFetching = false;
    if (isStale) void fetchCards();
  };
  const unsubscribe = cardsVersion.subscribe(() => void fetchCards());
  return () => {
    unsubscribe();
    clearTimeout(retryTimer);
  };
}

export function refreshCards(): void {
  cardsVersion.set(cardsVersion.get() + 1);
}

/** `answer.shown` is the hash of the request as this page rendered it. */
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
    const remaining = new Set(settledCards.get());
    for (const id of ids) remaining.delete(id);
    settledCards.set(remaining);
  }, SETTLED_MS);
}

export function markEnded(id: string, outcome: Ending["outcome"]): void {
  const ending = [id, { outcome, atMs: Date.now() }] as const;
  answered.set(new Map([...answered.get(), ending].slice(-MAX_ANSWERED)));
}

/** Reuses unchanged card objects, so values derived from them stay cached. */
function reuseUnchanged(fetched: readonly Card[]): readonly Card[] {
  const previous = new Map(cards.get().map((card) => [card.id, card]));
  return fetched.map((card) => {
    const known = previous.get(card.id);
    return known !== undefined && JSON.stringify(known) === JSON.stringify(card) ? known : card;
  });
}
