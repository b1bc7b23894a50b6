import type { SearchHit } from "./memory-contract.ts";
import type { MemoryIndex, SearchRequest } from "./search/memory-index.ts";

/** Later vectors, e.g. while the embedder loads, are left out: the user waits for the prompt. */
const DEADLINE_MS = 80;
/** After this nothing is injected: the index is still opening, or the machine is busy. */
const LAST_MS = 200;

/** Searches for a waiting caller; returns nothing if that takes too long. */
export async function searchWithDeadline(
  index: Pick<MemoryIndex, "search">,
  request: Omit<SearchRequest, "deadlineMs">,
): Promise<readonly SearchHit[]> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, LAST_MS, null);
  const found = index.search({ ...request, deadlineMs: DEADLINE_MS });
  // An error after the deadline concerns nobody.
  found.catch(() => undefined);
  const answer = await Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
  return answer?.hits ?? [];
}
