import type { IndexStatus, SearchAnswer, SearchFilters } from "../memory-contract.ts";

/** The search index as seen from outside. Its data derives from `memory_items` and can be discarded. */
export interface MemoryIndex {
  /** Never rejects for lack of an embedder: the answer is then full text and says so. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** Signals new rows in `memory_changes`, which are applied soon, in small steps. */
  changed(): void;
  /** Resolves when all of `memory_items` is indexed, and embedded if there is an embedder. */
  settle(): Promise<void>;
  /** Prepares the embedder, if there is one, as a query may come soon. */
  warm(): void;
  status(): Promise<IndexStatus>;
  /** After forgetting: applies the changes and leaves no byte of the deleted text in the file. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilters;
  readonly limit: number;
  /** For measuring one method alone. */
  readonly methods?: "both" | "full_text" | "vector";
  /** Time limit in milliseconds; vectors that are not ready by then are left out. */
  readonly deadlineMs?: number;
  readonly nowMs: number;
  /** Files the caller works on: items that touched them rank higher. */
  readonly files?: readonly string[];
  /** Ids to exclude. */
  readonly except?: readonly number[];
}
