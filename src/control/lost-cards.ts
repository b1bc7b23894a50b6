import type { Card } from "./control-contract.ts";

/** Requests of an earlier driver process that can no longer be answered. */
export interface LostCards {
  add(cards: readonly Card[]): void;
  all(): readonly Card[];
  find(requestId: string, ofSession?: string): Card | undefined;
  /** Returns whether it existed. */
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

/** Includes the session, because logs of earlier versions may reuse an id across sessions. */
export function requestKey(sessionId: string, requestId: string): string {
  return `${sessionId} ${requestId}`;
}
