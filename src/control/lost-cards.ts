import type { Card } from "./control-contract.ts";

/** Requests of an earlier life of the driver that nobody can answer any more. */
export interface LostCards {
  add(cards: readonly Card[]): void;
  all(): readonly Card[];
  find(requestId: string, ofSession?: string): Card | undefined;
  /** Whether it was there. */
  delete(sessionId: string, requestId: string): boolean;
}

export function createLostCards(): LostCards {
  const lost = new Map<string, Card>();
  return {
    add(cards) {
      for (const card of cards) lost.set(requestKey(card.sessionId, card.id), card);
    },
    all: () => [...lost.values()],
    find: (requestId, ofSession) =>
      [...lost.values()].find(
        ({ id, sessionId }) => id === requestId && (ofSession ?? sessionId) === sessionId,
      ),
    delete: (sessionId, requestId) => lost.delete(requestKey(sessionId, requestId)),
  };
}

/** Logs of earlier versions may have one id in several sessions. */
export function requestKey(sessionId: string, requestId: string): string {
  return `${sessionId} ${requestId}`;
}
