import type { Store } from "./store.ts";

/** A slot that holds one store and can replace it. Has one owner. */
export interface ReplaceableStore {
  /** The current store. */
  readonly store: Store;
  /** Quarantines a corrupt store and starts with an empty one. */
  replace(): Promise<void>;
  /** Opens an empty store beside this one, to be filled from the log. Removes an unfinished earlier one. */
  openReplacement(): Promise<ReplacementStore>;
  close(): Promise<void>;
}

export interface ReplacementStore {
  readonly store: Store;
  /**
   * Takes the place of the current store, with everything that is not in the log. Throws, and changes
   * nothing, if it is not sound or has fewer events.
   */
  takeOver(): Promise<void>;
  /** Removes it, unless it has taken over. */
  discard(): Promise<void>;
}
