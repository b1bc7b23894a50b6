import type { Card, CardAnswer } from "../../control/control-contract.ts";
import { get, send } from "./client.ts";
import { live } from "./live.ts";
import { createStore } from "./store.ts";

/** What waits for a person and can be answered from here. */
export const cards = createStore<readonly Card[]>([]);

const SWEEP_MS = 10_000;

/** Asked again whenever a session's waiting changes: the stream of sessions tells when to look. */
export function followCards(): () => void {
  let seen = "";
  let isAsking = false;
  let again = false;
  const look = async (): Promise<void> => {
    if (isAsking) {
      again = true;
      return;
    }
    isAsking = true;
    try {
      cards.set((await get<{ cards: Card[] }>("/api/control/cards")).cards);
    } catch {
      // The connection's state is told elsewhere.
    } finally {
      isAsking = false;
      if (again) {
        again = false;
        void look();
      }
    }
  };
  const unsubscribe = live.subscribe(() => {
    const now = [...live.get().sessions.values()]
      .map(
        ({ sessionId, waiting, alsoWaiting, driven }) =>
          `${sessionId} ${waiting?.requestId} ${alsoWaiting} ${driven}`,
      )
      .join("\n");
    if (now === seen) return;
    seen = now;
    void look();
    // A held request reaches us a moment after its event.
    setTimeout(() => void look(), 400);
  });
  const timer = setInterval(() => !document.hidden && void look(), SWEEP_MS);
  void look();
  return () => {
    unsubscribe();
    clearInterval(timer);
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
