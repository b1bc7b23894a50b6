import type { IndexStatus, SearchAnswer, SearchFilters } from "../memory-contract.ts";

/** The search index as the rest sees it. What it holds is made from `memory_items` and can be thrown away. */
export interface MemoryIndex {
  /** Never rejects for want of an embedder: then the answer is full text and says so. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** There is something new in `memory_changes`: taken in soon, in small steps. */
  changed(): void;
  /** Until all that `memory_items` holds is indexed, and embedded if there is an embedder. */
  settle(): Promise<void>;
  /** Makes the embedder ready, if there is one: somebody may ask soon. */
  warm(): void;
  status(): Promise<IndexStatus>;
  /** After things were forgotten: takes in the changes and leaves no byte of what is gone in the file. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilters;
  readonly limit: number;
  /** For measuring one way alone. */
  readonly ways?: "both" | "full_text" | "vector";
  /** Within so many milliseconds; vectors that are not ready by then take no part. */
  readonly deadlineMs?: number;
  readonly nowMs: number;
  /** Files the asker works on: what touched them counts more. */
  readonly files?: readonly string[];
  /** Ids not to be found. */
  readonly except?: readonly number[];
}
