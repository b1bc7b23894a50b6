import type { Config } from "../../config.ts";
import type { ItemChangesPlace } from "../../store/item-changes.ts";
import type { IndexStatus, SearchAnswer } from "../memory-contract.ts";
import type { SearchRequest } from "./memory-index.ts";

/** What is said between the index and its worker. */

export interface IndexWorkerData {
  readonly source: ItemChangesPlace;
  readonly path: string;
  readonly embedder: Pick<Config["memory"], "embedder" | "embedderModel">;
}

export type IndexCall =
  | { readonly call: "search"; readonly request: SearchRequest }
  | { readonly call: "settle" | "status" | "scrub" | "close" };

export type ToIndexWorker =
  | { readonly id: number; readonly ask: IndexCall }
  | { readonly id: null; readonly tell: "changed" | "warm" };

export type FromIndexWorker =
  | { readonly id: number; readonly answer: SearchAnswer | IndexStatus | null }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };
