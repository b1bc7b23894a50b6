import { setImmediate as breathe } from "node:timers/promises";
import type { ItemChanges } from "../../store/item-changes.ts";
import type { Embedder } from "../embed/embedder.ts";
import { embedBatch, queueForModel } from "./embed-outbox.ts";
import { countWaiting } from "./follow-changes.ts";
import type { IndexContents } from "./index-contents.ts";
import { readsCjk } from "./probe-model.ts";

/** Applies changes and embeds them in slices, one round at a time; failures are retried later. */
export interface IndexWork {
  /** Whether changes are, or may be, not applied yet. */
  isBusy(): boolean;
  /** Why there are no vectors, or the last error. */
  note(): string | null;
  /** Whether the model cannot read every script. */
  isEnglishOnly(): boolean;
  /** Signals new changes. */
  changed(): void;
  /** Resolves when nothing is left to do, or it cannot be done now. */
  settle(): Promise<void>;
  /** Applies all changes now, as the last step before deleted text is scrubbed. */
  catchUp(): Promise<void>;
  isStopped(): boolean;
  /** Starts no further work. */
  stop(): void;
  /** After `stop`: resolves when the current work has ended. */
  ended(): Promise<void>;
}

export interface IndexWorkOptions {
  readonly contents: IndexContents;
  readonly source: ItemChanges;
  readonly embedder: Embedder | null;
  /** Why there is no embedder. */
  readonly note: string | null;
  /** Awaited before each retry. */
  readonly onError: (error: unknown) => Promise<unknown>;
}

/** Limits how long a slice delays a search. */
const SLICE_ITEMS = 200;
const SLICE_MS = 15;
const BACKLOG_CHANGES = 2_000;
const BACKLOG_SLICE_MS = 60;
const EMBED_BATCH_SIZE = 32;
const MAX_RETRY_MS = 60_000;

export function createIndexWork({ contents, source, embedder, ...options }: IndexWorkOptions): IndexWork {
  let { note } = options;
  let isEnglishOnly = true;
  let isBehind = true;
  let isStopped = false;
  let currentWork: Promise<void> | null = null;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;

  async function followAll(isLast = false): Promise<void> {
    isBehind = false;
    // For a large backlog, many small transactions take twice as long as few large ones.
    const ms = (await countWaiting(contents.db, source)) > BACKLOG_CHANGES ? BACKLOG_SLICE_MS : SLICE_MS;
    while (!isStopped && !(await contents.follow({ items: SLICE_ITEMS, ms, isLast }))) await breathe();
  }

  async function embedAll(model: Embedder): Promise<void> {
    const id = queueForModel(contents.db, model.name);
    if (!contents.isLoaded) await contents.load(id, () => isStopped);
    isEnglishOnly = !(await readsCjk(contents.db, id, model));
    while (!isStopped && hasUnembedded(contents)) {
      const { done } = await embedBatch(contents.db, source, model, EMBED_BATCH_SIZE);
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
      await options.onError(error);
      failures++;
      retryTimer = setTimeout(changed, Math.min(MAX_RETRY_MS, 250 * 2 ** failures));
      retryTimer.unref();
    }
  }

  function changed(): void {
    isBehind = true;
    if (isStopped || currentWork !== null) return;
    clearTimeout(retryTimer);
    currentWork = work().finally(() => {
      currentWork = null;
    });
  }

  return {
    isBusy: () => isBehind || currentWork !== null,
    note: () => note,
    isEnglishOnly: () => isEnglishOnly,
    changed,
    async settle() {
      changed();
      while (currentWork !== null) await currentWork;
    },
    catchUp: () => followAll(true),
    isStopped: () => isStopped,
    stop() {
      isStopped = true;
      clearTimeout(retryTimer);
    },
    async ended() {
      await currentWork;
    },
  };
}

function hasUnembedded({ db }: IndexContents): boolean {
  return db.sql("SELECT 1 FROM to_embed LIMIT 1").get() !== undefined;
}
