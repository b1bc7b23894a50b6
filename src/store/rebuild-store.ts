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
  readonly slot: ReplaceableStore;
  readonly log: Log;
  /** Fills a rebuilt store with data derived from the log, before it takes over. */
  readonly fillDerived?: (store: Store, signal: AbortSignal | undefined) => Promise<void>;
}

export interface RebuildRunOptions {
  readonly onProgress?: (done: number, total: number) => void;
  /** Aborts until the new store is about to take over; throws the reason. The live store is unchanged. */
  readonly signal?: AbortSignal;
}

/** What a rebuild needs from the owner of the live store. */
export interface StoreOwner {
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Catches up the live store. Only inside `runExclusive`. */
  followOnce(): Promise<void>;
  untilIdle(): Promise<void>;
}

/** Builds a new store from the whole log beside the live one, then replaces it. */
export async function rebuildStore(
  { slot, log, fillDerived }: RebuildOptions,
  owner: StoreOwner,
  { onProgress, signal }: RebuildRunOptions,
): Promise<RebuildReport> {
  signal?.throwIfAborted();
  const replacement = await slot.openReplacement();
  const { facts } = replacement.store;
  const total = await countEvents(slot.store);
  let done = 0;
  const onApplied = (result: ApplyResult): void => {
    signal?.throwIfAborted();
    done += result.events;
    onProgress?.(done, total);
  };
  const fill = async (): Promise<void> => {
    await catchUp(log, facts, { onApplied });
    await fillDerived?.(replacement.store, signal);
    signal?.throwIfAborted();
  };
  try {
    // The long part runs beside the live store; only the last step is exclusive.
    await fill();
    return await owner.runExclusive(async () => {
      await owner.followOnce();
      await fill();
      const { events, sessions } = await facts.summary();
      await owner.untilIdle();
      await replacement.takeOver();
      return { events, sessions };
    });
  } catch (error) {
    await replacement.discard();
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
