import { setTimeout as sleep } from "node:timers/promises";
import type { ReplaceableStore } from "./replaceable-store.ts";
import type { Store } from "./store.ts";
import { storeTrouble } from "./store-error.ts";

/** Those who ask the store, of whom some have no answer yet. */
export interface StoreAskers {
  use<T>(work: (store: Store) => T): T;
  /** Who asks in several steps holds on to the store between them. Waits for them a while, before it is replaced. */
  untilUnused(): Promise<void>;
}

/** So long a store that is replaced waits for those who are asking it. */
const ASKING_MS = 1_000;

export function createStoreAskers(place: ReplaceableStore, onCorrupt: () => void): StoreAskers {
  const asking = new Set<Promise<unknown>>();
  const noticeCorrupt = (error: unknown): void => {
    if (storeTrouble(error) === "corrupt") onCorrupt();
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
    async untilUnused() {
      const untilMs = performance.now() + ASKING_MS;
      while (asking.size > 0 && performance.now() < untilMs)
        await Promise.race([Promise.all(asking), sleep(untilMs - performance.now())]);
    },
  };
}
