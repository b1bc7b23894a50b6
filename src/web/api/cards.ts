import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { get, Refused, send } from "./client.ts";
import { cardsTold } from "./live.ts";
import { createStore } from "./store.ts";

/** What waits for a person and can be answered from here. */
export const cards = createStore<readonly Card[]>([]);

const AGAIN_MS = 1_000;

/** Asked for whenever the stream says that they changed. One question at a time: the last answer is the newest. */
export function followCards(): () => void {
  let isAsking = false;
  let isStale = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const look = async (): Promise<void> => {
    clearTimeout(again);
    isStale = isAsking;
    if (isAsking) return;
    isAsking = true;
    try {
      cards.set((await get<{ cards: Card[] }>("/api/control/cards")).cards);
    } catch (error) {
      // That nobody answers is told elsewhere; what was said to have changed must still be read.
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

export async function answerCard(id: string, answer: CardAnswer): Promise<Card> {
  const commandId = crypto.randomUUID();
  const settled = await send<Card>("POST", `/api/control/cards/${encodeURIComponent(id)}/answer`, {
    who: "browser",
    commandId,
    ...answer,
  });
  cards.set(cards.get().filter((card) => card.id !== id));
  return settled;
}
