import { randomUUID } from "node:crypto";

/** Assigns each request of a driven session an id that no other request still in use has, in any session. */
export interface RequestIds {
  /** `isTaken` knows the ids that the session used in earlier processes. */
  claim(toolUseId: string, isTaken: (id: string) => boolean): string;
}

/** Requests this many ids back were settled long ago. */
const MAX_CLAIMED = 10_000;

/** A random id chosen by Claude, unlike `call_0`. */
const RANDOM_ID = /^toolu_\w{20,}$/;

/**
 * The API chooses call ids: Claude's are random, but other providers may reuse theirs across sessions or
 * within one. A random id is kept, so that a request is found by its call; all others get an id of ours.
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
