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

export function createStoreAccess(slot: ReplaceableStore, onCorrupt: () => void): StoreAccess {
  const running = new Set<Promise<unknown>>();
  const noticeCorrupt = (error: unknown): void => {
    if (storeErrorKind(error) === "corrupt") onCorrupt();
  };

  return {
    use(work) {
      try {
        const result = work(slot.store);
        if (result instanceof Promise) {
          const query = result.catch(noticeCorrupt).finally(() => running.delete(query));
          running.add(query);
        }
        return result;
      } catch (error) {
        noticeCorrupt(error);
        throw error;
      }
    },
    async untilIdle() {
      const deadlineMs = performance.now() + MAX_WAIT_MS;
      while (running.size > 0 && performance.now() < deadlineMs)
        await Promise.race([Promise.all(running), sleep(deadlineMs - performance.now())]);
    },
  };
}
