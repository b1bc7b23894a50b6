import type { SearchHit } from "./memory-contract.ts";
import type { MemoryIndex, SearchRequest } from "./search/memory-index.ts";

/** A vector that is not there by then, as while the embedder is loaded, takes no part: somebody waits for the prompt. */
const DEADLINE_MS = 80;
/** After this nothing is given: an index that is just being opened, a machine that is busy. */
const LAST_MS = 200;

/** Searches for somebody who waits; finds nothing where that takes too long. */
export async function searchInTime(
  index: Pick<MemoryIndex, "search">,
  request: Omit<SearchRequest, "deadlineMs">,
): Promise<readonly SearchHit[]> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, LAST_MS, null);
  const found = index.search({ ...request, deadlineMs: DEADLINE_MS });
  // A search that fails after its time is nobody's concern any more.
  found.catch(() => undefined);
  const answer = await Promise.race([found, late.promise]).finally(() => clearTimeout(timer));
  return answer?.hits ?? [];
}
