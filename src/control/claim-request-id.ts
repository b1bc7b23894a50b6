import { randomUUID } from "node:crypto";

/** Gives every request of a driven session an id that no other request of any session has that may still be asked about. */
export interface RequestIds {
  /** For a request of this call; `isTaken` knows ids that its session had in earlier processes. */
  claim(toolUseId: string, isTaken: (id: string) => boolean): string;
}

/** Requests that many ids ago have long been settled. */
const MAX_CLAIMED = 10_000;

/** A random id that Claude chose, as against `call_0`. */
const RANDOM_ID = /^toolu_\w{20,}$/;

/**
 * Call ids are chosen by the API: Claude's are random, those of other providers may be the same in every session, or
 * twice in one. A random one is used as it is, so that a request is found by its call; all others get an id of ours.
 */
export function createRequestIds(isLost: (id: string) => boolean): RequestIds {
  const claimed = new Set<string>();
  return {
    claim(toolUseId, isTaken) {
      const isFree =
        RANDOM_ID.test(toolUseId) && !claimed.has(toolUseId) && !isLost(toolUseId) && !isTaken(toolUseId);
      if (!isFree) return `ask_${randomUUID()}`;
      claimed.add(toolUseId);
      const [oldest] = claimed;
      if (claimed.size > MAX_CLAIMED) claimed.delete(oldest!);
      return toolUseId;
    },
  };
}
