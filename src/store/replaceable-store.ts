import type { Store } from "./store.ts";

/** The place of one store, which can be made again there. Has one owner. */
export interface ReplaceableStore {
  /** The store that is in the place now. */
  readonly store: Store;
  /** Sets a corrupt store aside and begins with an empty one. */
  replace(): Promise<void>;
  /** An empty store beside this one, to be filled from the log. Another one that was begun before is removed. */
  openBeside(): Promise<StoreBeside>;
  close(): Promise<void>;
}

export interface StoreBeside {
  readonly store: Store;
  /**
   * Puts it in the other's place, with all that the log does not know. Throws, and changes nothing, when it is not
   * sound or has less than the other.
   */
  takeOver(): Promise<void>;
  /** Removes it, unless it has taken over. */
  discard(): Promise<void>;
}
