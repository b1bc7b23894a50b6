import type { SearchHit } from "./memory-contract.ts";
import type { MemoryIndex, SearchRequest } from "./search/memory-index.ts";

/** Vectors that take longer, e.g. while the embedder loads, are left out: the user waits for the prompt. */
const DEADLINE_MS = 80;
/** After this nothing is injected: the index is still opening, or the machine is busy. */
const MAX_WAIT_MS = 200;

/** Searches for a waiting caller; returns nothing if that takes too long. */
export async function searchWithDeadline(
  index: Pick<MemoryIndex, "search">,
  request: Omit<SearchRequest, "deadlineMs">,
): Promise<readonly SearchHit[]> {
  const timeout = Promise.withResolvers<null>();
  const timer = setTimeout(timeout.resolve, MAX_WAIT_MS, null);
  const result = index.search({ ...request, deadlineMs: DEADLINE_MS });
  // An error after the deadline is ignored.
  result.catch(() => undefined);
  const answer = await Promise.race([result, timeout.promise]).finally(() => clearTimeout(timer));
  return answer?.hits ?? [];
}
