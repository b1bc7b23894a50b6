import { randomUUID } from "node:crypto";

/** Assigns each request of a driven session an id that is unique among all pending requests, across sessions. */
export interface RequestIds {
  /** `isTaken` returns true for ids the session used in an earlier process. */
  claim(toolUseId: string, isTaken: (id: string) => boolean): string;
}

/** By then, the oldest request was answered long ago. */
const MAX_CLAIMED = 10_000;

/** Claude's random ids, as opposed to sequential ones such as `call_0`. */
const RANDOM_ID = /^toolu_\w{20,}$/;

/**
 * The API chooses call ids: Claude's are random, but other providers may reuse theirs across sessions or
 * within one. Random ids are kept, so a request can be found by its call; others are replaced by our own.
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
