import { setTimeout as sleep } from "node:timers/promises";
import type { ReplaceableStore } from "./replaceable-store.ts";
import type { Store } from "./store.ts";
import { storeErrorKind } from "./store-error.ts";

/** Tracks running queries of the store. */
export interface StoreAccess {
  use<T>(work: (store: Store) => T): T;
  /** Waits up to `MAX_WAIT_MS` for multi-step queries that hold on to the store, before it is replaced. */
  untilIdle(): Promise<void>;
}

/** How long a replacement waits for running queries. */
const MAX_WAIT_MS = 1_000;

export function createStoreAccess(place: ReplaceableStore, onCorrupt: () => void): StoreAccess {
  const asking = new Set<Promise<unknown>>();
  const noticeCorrupt = (error: unknown): void => {
    if (storeErrorKind(error) === "corrupt") onCorrupt();
  };

  return {
    use(work) {
      try {
        const result = work(place.store);
        if (result instanceof Promise) {
          const asked = result.catch(noticeCorrupt).finally(() => asking.delete(asked));
          asking.add(asked);
        }
        return result;
      } catch (error) {
        noticeCorrupt(error);
        throw error;
      }
    },
    async untilIdle() {
      const untilMs = performance.now() + MAX_WAIT_MS;
      while (asking.size > 0 && performance.now() < untilMs)
        await Promise.race([Promise.all(asking), sleep(untilMs - performance.now())]);
    },
  };
}
