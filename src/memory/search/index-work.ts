import { setImmediate as breathe } from "node:timers/promises";
import type { ItemChanges } from "../../store/item-changes.ts";
import type { Embedder } from "../embed/embedder.ts";
import { embedBatch, expectModel } from "./embed-outbox.ts";
import { countWaiting } from "./follow-changes.ts";
import type { IndexContents } from "./index-contents.ts";
import { readsCjk } from "./probe-model.ts";

/** Takes in what changes and embeds it, in slices, one round at a time; what fails is tried again later. */
export interface IndexWork {
  /** Whether something is, or may be, not taken in yet. */
  isUnderWay(): boolean;
  /** Why there are no vectors, or what failed last. */
  note(): string | null;
  /** Whether the model cannot read every script. */
  isForeign(): boolean;
  /** There is something new. */
  changed(): void;
  /** Until nothing is left to do, or it cannot be done now. */
  settle(): Promise<void>;
  /** Takes in all changes now, as the last before what is gone is scrubbed. */
  followLast(): Promise<void>;
  isStopped(): boolean;
  /** Begins nothing more. */
  stop(): void;
  /** After `stop`: what was under way is over. */
  ended(): Promise<void>;
}

export interface IndexWorkOptions {
  readonly contents: IndexContents;
  readonly source: ItemChanges;
  readonly embedder: Embedder | null;
  /** Why there is no embedder. */
  readonly note: string | null;
  /** Before it is tried again. */
  readonly onError: (error: unknown) => void;
}

/** A slice keeps a search waiting no longer than this. */
const SLICE_ITEMS = 200;
const SLICE_MS = 15;
const BACKLOG = 2_000;
const BACKLOG_SLICE_MS = 60;
const BATCH = 32;
const LONGEST_WAIT_MS = 60_000;

export function createIndexWork({ contents, source, embedder, ...options }: IndexWorkOptions): IndexWork {
  let { note } = options;
  let isForeign = true;
  let isBehind = true;
  let isStopped = false;
  let working: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;

  async function followAll(isLast = false): Promise<void> {
    isBehind = false;
    // Many small transactions cost a large backlog twice the time of few large ones.
    const ms = (await countWaiting(contents.db, source)) > BACKLOG ? BACKLOG_SLICE_MS : SLICE_MS;
    while (!isStopped && !(await contents.follow({ items: SLICE_ITEMS, ms, isLast }))) await breathe();
  }

  async function embedAll(model: Embedder): Promise<void> {
    const id = expectModel(contents.db, model.name);
    if (!contents.isLoaded) await contents.load(id, () => isStopped);
    isForeign = !(await readsCjk(contents.db, id, model));
    while (!isStopped && hasUnembedded(contents)) {
      const { done } = await embedBatch(contents.db, source, model, BATCH);
      if (isStopped) return;
      contents.putCodes(done);
      failures = 0;
      note = null;
      if (isBehind) await followAll();
    }
  }

  async function work(): Promise<void> {
    try {
      do {
        await followAll();
        if (embedder !== null) await embedAll(embedder);
      } while (isBehind && !isStopped);
    } catch (error) {
      if (isStopped) return;
      note = (error as Error).message;
      options.onError(error);
      failures++;
      retry = setTimeout(changed, Math.min(LONGEST_WAIT_MS, 250 * 2 ** failures));
      retry.unref();
    }
  }

  function changed(): void {
    isBehind = true;
    if (isStopped || working !== null) return;
    clearTimeout(retry);
    working = work().finally(() => {
      working = null;
    });
  }

  return {
    isUnderWay: () => isBehind || working !== null,
    note: () => note,
    isForeign: () => isForeign,
    changed,
    async settle() {
      changed();
      while (working !== null) await working;
    },
    followLast: () => followAll(true),
    isStopped: () => isStopped,
    stop() {
      isStopped = true;
      clearTimeout(retry);
    },
    async ended() {
      await working;
    },
  };
}

function hasUnembedded({ db }: IndexContents): boolean {
  return db.sql("SELECT 1 FROM to_embed LIMIT 1").get() !== undefined;
}
