import { DamagedPartError } from "../log/log.ts";
import { createStoreAskers } from "./ask-store.ts";
import { createLogFollower, type LogFollowerOptions } from "./follow-log.ts";
import { type RebuildOptions, type RebuildReport, type RebuildWork, rebuildStore } from "./rebuild-store.ts";
import { createPartRepairs, type PartRepairsOptions } from "./repair-parts.ts";
import type { Store } from "./store.ts";

/** The one owner of the store: keeps it level with the log, has it made again when it is broken or to be rebuilt. */
export interface StoreKeeper {
  readonly store: Store;
  /** Asks the store. One that turns out to be corrupt is made again soon after; the asker may ask again then. */
  use<T>(work: (store: Store) => T): T;
  /** Takes what is new in the log. One at a time; a call during another waits for one more round. */
  follow(): Promise<void>;
  rebuild(work?: RebuildWork): Promise<RebuildReport>;
  /** Reads the whole log and repairs what is damaged of it. Before work that rewrites it. */
  checkLog(): Promise<void>;
  /** Waits for what runs, then keeps the store still while `work` runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The same, with the store level with the log as it was when `work` began. */
  aloneLevel<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface KeepStoreOptions extends LogFollowerOptions, PartRepairsOptions, RebuildOptions {}

export function keepStore(options: KeepStoreOptions): StoreKeeper {
  const { place, log } = options;
  const repairs = createPartRepairs(options);
  const { followOnce, noteCorrupt, stop } = createLogFollower(options, repairs);
  const { use, untilUnused } = createStoreAskers(place, onCorrupt);
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  function follow(): Promise<void> {
    // One round that has not begun yet is enough for all who ask until it does.
    waiting ??= alone(async () => {
      waiting = null;
      await followOnce();
    });
    return waiting;
  }

  function onCorrupt(): void {
    if (!noteCorrupt()) return;
    follow().catch((failure) => options.onNotice(`making the database again failed: ${failure}`));
  }

  return {
    get store() {
      return place.store;
    },
    use,
    follow,
    alone,
    aloneLevel: (work) =>
      alone(async () => {
        await followOnce();
        return work();
      }),
    async rebuild(work = {}) {
      for (;;) {
        try {
          // Level and sound first: a broken database is made again by this alone, a broken log is mended from it.
          await follow();
          return await rebuildStore(options, { alone, followOnce, untilUnused }, work);
        } catch (error) {
          // A damaged part must not end rebuilds for good: it is repaired from the living store, then all is read anew.
          await alone(() => repairs.repairOrThrow(error));
        }
      }
    },
    async checkLog() {
      for (const part of await log.damagedParts())
        await alone(() => repairs.repairOrThrow(new DamagedPartError(part, log.name)));
      await follow();
    },
    async close() {
      stop();
      await last;
      await place.close();
    },
  };
}
