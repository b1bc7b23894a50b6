import type { Log } from "../log/log.ts";
import { catchUp } from "./catch-up.ts";
import type { ApplyResult } from "./facts.ts";
import type { ReplaceableStore } from "./replaceable-store.ts";
import type { Store } from "./store.ts";

export interface RebuildReport {
  readonly events: number;
  readonly sessions: number;
}

export interface RebuildOptions {
  readonly place: ReplaceableStore;
  readonly log: Log;
  /** Makes in a rebuilt store what is not told by the log but made of it, before it takes the other's place. */
  readonly prepare?: (store: Store, signal: AbortSignal | undefined) => Promise<void>;
}

export interface RebuildWork {
  readonly onProgress?: (done: number, total: number) => void;
  /** Gives it up until the new store is about to take over; throws the reason. The living store is as it was. */
  readonly signal?: AbortSignal;
}

/** What a rebuild needs of the owner of the living store. */
export interface StoreOwner {
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Brings the living store level. Only alone. */
  followOnce(): Promise<void>;
  untilUnused(): Promise<void>;
}

/** Makes a store of the whole log beside the living one, and puts it in its place. */
export async function rebuildStore(
  { place, log, prepare }: RebuildOptions,
  owner: StoreOwner,
  { onProgress, signal }: RebuildWork,
): Promise<RebuildReport> {
  signal?.throwIfAborted();
  const beside = await place.openBeside();
  const { facts } = beside.store;
  const total = await countEvents(place.store);
  let done = 0;
  const onApplied = (result: ApplyResult): void => {
    signal?.throwIfAborted();
    done += result.events;
    onProgress?.(done, total);
  };
  const fill = async (): Promise<void> => {
    await catchUp(log, facts, { onApplied });
    await prepare?.(beside.store, signal);
    signal?.throwIfAborted();
  };
  try {
    // The long part runs beside the living store; only the last step stands alone.
    await fill();
    return await owner.alone(async () => {
      await owner.followOnce();
      await fill();
      const { events, sessions } = await facts.summary();
      await owner.untilUnused();
      await beside.takeOver();
      return { events, sessions };
    });
  } catch (error) {
    await beside.discard();
    throw error;
  }
}

async function countEvents(store: Store): Promise<number> {
  try {
    return (await store.facts.summary()).events;
  } catch {
    return 0;
  }
}
