import { DamagedPartError } from "../log/log.ts";
import { createLogFollower, type LogFollowerOptions } from "./follow-log.ts";
import {
  type RebuildOptions,
  type RebuildReport,
  type RebuildRunOptions,
  rebuildStore,
} from "./rebuild-store.ts";
import { createPartRepairs, type PartRepairsOptions } from "./repair-parts.ts";
import type { Store } from "./store.ts";
import { createStoreAccess } from "./store-access.ts";

/**
 * The single owner of the store: keeps it caught up with the log, and rebuilds it when broken or requested.
 */
export interface LiveStore {
  readonly store: Store;
  /** Runs a query. A store that turns out corrupt is rebuilt soon after; the caller may retry then. */
  use<T>(work: (store: Store) => T): T;
  /** Applies what is new in the log. Serialized: a call during another waits for one more round. */
  follow(): Promise<void>;
  rebuild(work?: RebuildRunOptions): Promise<RebuildReport>;
  /** Reads the whole log and repairs damaged parts. Call before work that rewrites the log. */
  repairLog(): Promise<void>;
  /** Waits for running work, then keeps the store unchanged while `work` runs. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Like `runExclusive`, with the store caught up with the log when `work` starts. */
  runExclusiveCaughtUp<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface LiveStoreOptions extends LogFollowerOptions, PartRepairsOptions, RebuildOptions {}

export function openLiveStore(options: LiveStoreOptions): LiveStore {
  const { slot, log } = options;
  const repairs = createPartRepairs(options);
  const { followOnce, markCorrupt, stop } = createLogFollower(options, repairs);
  const { use, untilIdle } = createStoreAccess(slot, onCorrupt);
  let last: Promise<unknown> = Promise.resolve();
  let pendingFollow: Promise<void> | null = null;

  function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  function follow(): Promise<void> {
    // A round that has not started yet serves all callers until it does.
    pendingFollow ??= runExclusive(async () => {
      pendingFollow = null;
      await followOnce();
    });
    return pendingFollow;
  }

  function onCorrupt(): void {
    if (!markCorrupt()) return;
    follow().catch((error) => options.onNotice(`rebuilding the database failed: ${error}`));
  }

  return {
    get store() {
      return slot.store;
    },
    use,
    follow,
    runExclusive: runExclusive,
    runExclusiveCaughtUp: (work) =>
      runExclusive(async () => {
        await followOnce();
        return work();
      }),
    async rebuild(work = {}) {
      for (;;) {
        try {
          // Catch up first: that alone rebuilds a broken database, and a broken log is repaired from it.
          await follow();
          return await rebuildStore(options, { runExclusive: runExclusive, followOnce, untilIdle }, work);
        } catch (error) {
          // A damaged part must not block rebuilds forever: repair it from the live store, then start over.
          await runExclusive(() => repairs.repairOrThrow(error));
        }
      }
    },
    async repairLog() {
      for (const part of await log.damagedParts())
        await runExclusive(() => repairs.repairOrThrow(new DamagedPartError(part, log.name)));
      await follow();
    },
    async close() {
      stop();
      await last;
      await slot.close();
    },
  };
}
