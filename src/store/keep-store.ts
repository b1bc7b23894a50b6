import {
  DamagedPartError,
  type Log,
  type LogBatch,
  type LogPart,
  type RepairReport,
  type RestoreReport,
} from "../log/log.ts";
import { catchUp } from "./catch-up.ts";
import type { ApplyResult } from "./facts.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";
import type { Store } from "./store.ts";
import { storeTrouble } from "./store-error.ts";

/** The one owner of the store: keeps it level with the log, has it made again when it is broken or to be rebuilt. */
export interface StoreKeeper {
  readonly store: Store;
  /** Asks the store. One that turns out to be corrupt is made again soon after; the asker may ask again then. */
  use<T>(work: (store: Store) => T): T;
  /** Takes what is new in the log. One at a time; a call during another waits for one more round. */
  follow(): Promise<void>;
  rebuild(onProgress?: (done: number, total: number) => void): Promise<RebuildReport>;
  /** Reads the whole log and repairs what is damaged of it. Before work that rewrites it. */
  checkLog(): Promise<void>;
  /** Waits for what runs, then keeps the store still while `work` runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface RebuildReport {
  readonly events: number;
  readonly sessions: number;
}

export interface KeepStoreOptions {
  readonly place: ReplaceableStore;
  readonly log: Log;
  /** Awaited: who follows the log finds what this has made of it. */
  readonly onApplied?: (result: ApplyResult, batch: LogBatch) => void | Promise<void>;
  readonly onRestored?: (report: RestoreReport) => void;
  readonly onRepaired?: (report: RepairReport) => void;
  /** Makes in a rebuilt store what is not told by the log but made of it, before it takes the other's place. */
  readonly prepare?: (store: Store) => Promise<void>;
  readonly onNotice: (message: string) => void;
}

const BUSY_MS = [20, 50, 100, 250, 500, 1_000];
/** So long a store that is replaced waits for those who are asking it. */
const ASKING_MS = 1_000;

export function keepStore(options: KeepStoreOptions): StoreKeeper {
  const { place, log, onApplied } = options;
  let isClosed = false;
  let isCorrupt = false;
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  const asking = new Set<Promise<unknown>>();

  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  /** Each part once in a row: one that is damaged right after it was repaired is a fault of ours. */
  const repaired = new Set<LogPart>();
  const repairOrThrow = async (error: unknown): Promise<void> => {
    if (!(error instanceof DamagedPartError) || repaired.has(error.part)) throw error;
    repaired.add(error.part);
    const { facts } = place.store;
    const report = await log.repair(error.part, await facts.position(), facts);
    if (report !== null) options.onRepaired?.(report);
  };

  const followOnce = async (): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      if (isClosed) return;
      try {
        if (isCorrupt) {
          await place.replace();
          isCorrupt = false;
        }
        const { facts } = place.store;
        const restored = await log.restore(await facts.position(), facts);
        if (restored !== null) options.onRestored?.(restored);
        await catchUp(log, facts, { onApplied, from: restored?.from, live: true });
        repaired.clear();
        return;
      } catch (error) {
        const trouble = storeTrouble(error);
        if (trouble === "corrupt") isCorrupt = true;
        else if (trouble === "busy" || trouble === "full") {
          if (attempt % 20 === 5)
            options.onNotice(`the database is ${trouble}: ${(error as Error).message}; trying on`);
          await sleep(BUSY_MS[Math.min(attempt, BUSY_MS.length - 1)]!);
        } else await repairOrThrow(error);
      }
    }
  };

  const follow = (): Promise<void> => {
    // One round that has not begun yet is enough for all who ask until it does.
    waiting ??= alone(async () => {
      waiting = null;
      await followOnce();
    });
    return waiting;
  };

  const noticeCorrupt = (error: unknown): void => {
    if (storeTrouble(error) !== "corrupt" || isCorrupt) return;
    isCorrupt = true;
    follow().catch((failure) => options.onNotice(`making the database again failed: ${failure}`));
  };
  const use = <T>(work: (store: Store) => T): T => {
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
  };
  /** Who asks in several steps holds on to the store between them. */
  const untilUnused = async (): Promise<void> => {
    const untilMs = performance.now() + ASKING_MS;
    while (asking.size > 0 && performance.now() < untilMs)
      await Promise.race([Promise.all(asking), sleep(untilMs - performance.now())]);
  };

  /** A damaged part must not end rebuilds for good: it is repaired from the living store, then all is read anew. */
  const rebuild: StoreKeeper["rebuild"] = async (onProgress = () => undefined) => {
    for (;;) {
      try {
        return await rebuildOnce(onProgress);
      } catch (error) {
        await alone(() => repairOrThrow(error));
      }
    }
  };

  const rebuildOnce = async (onProgress: (done: number, total: number) => void): Promise<RebuildReport> => {
    // Level and sound first: a broken database is made again by this alone, a broken log is mended from it.
    await follow();
    const beside = await place.openBeside();
    const { facts } = beside.store;
    const total = await countEvents(place.store);
    let done = 0;
    const count = (result: ApplyResult): void => {
      done += result.events;
      onProgress(done, total);
    };
    try {
      // The long part runs beside the living store; only the last step stands alone.
      await catchUp(log, facts, { onApplied: count });
      await options.prepare?.(beside.store);
      return await alone(async () => {
        await followOnce();
        await catchUp(log, facts, { onApplied: count });
        await options.prepare?.(beside.store);
        const { events, sessions } = await facts.summary();
        await untilUnused();
        await beside.takeOver();
        return { events, sessions };
      });
    } catch (error) {
      await beside.discard();
      throw error;
    }
  };

  return {
    get store() {
      return place.store;
    },
    use,
    follow,
    rebuild,
    alone,
    async checkLog() {
      for (const part of await log.damagedParts())
        await alone(() => repairOrThrow(new DamagedPartError(part, log.name)));
      await follow();
    },
    async close() {
      isClosed = true;
      await last;
      await place.close();
    },
  };
}

async function countEvents(store: Store): Promise<number> {
  try {
    return (await store.facts.summary()).events;
  } catch {
    return 0;
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
