import type { Config } from "../../config.ts";
import type { ItemChangesLocation } from "../../store/item-changes.ts";
import type { IndexStatus, SearchAnswer } from "../memory-contract.ts";
import type { SearchRequest } from "./memory-index.ts";

/** Messages between the index and its worker. */

export interface IndexWorkerData {
  readonly source: ItemChangesLocation;
  readonly path: string;
  readonly embedder: Pick<Config["memory"], "embedder" | "embedderModel">;
}

export type IndexCall =
  | { readonly call: "search"; readonly request: SearchRequest }
  | { readonly call: "settle" | "status" | "scrub" | "close" };

export type ToIndexWorker =
  | { readonly id: number; readonly request: IndexCall }
  | { readonly id: null; readonly notify: "changed" | "warm" };

export type FromIndexWorker =
  | { readonly id: number; readonly answer: SearchAnswer | IndexStatus | null }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };
