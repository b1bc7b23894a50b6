import type { HooklineEvent } from "../event/event.ts";
import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { buildItems } from "./build-items.ts";
import { createDebounce, MAX_DELAY_MS } from "./debounce.ts";

/** Builds items from recorded events in small steps, when nothing else is going on. */
export interface ItemBuilder {
  /** Events just stored in the database. */
  onEvents(events: readonly HooklineEvent[]): void;
  /** Builds everything that is pending now. */
  drain(): Promise<void>;
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export interface ItemBuilderOptions {
  readonly rows: MemoryRows;
  /** True while an import or a rebuild runs, which take precedence. */
  readonly shouldYield?: (() => boolean) | undefined;
  /** Called after each step with what was written. */
  readonly onWritten: (write: MemoryWrite) => void;
  /** Called when nothing is left to build. */
  readonly onDrained: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Entries per step: reading and writing them takes some ten milliseconds, during which hooks are not
 * ingested.
 */
const STEP_ENTRIES = 100;
/** Delay after a call, because the text around it comes from the transcript a second later. */
const QUIET_MS = 1_500;
/** Delay after a turn, whose results the next session should find. */
const SOON_MS = 150;
/**
 * Events at once that count as a backlog. It is ingested first: side by side, both would take three times
 * as long.
 */
const BACKLOG_THRESHOLD = 50;
const BACKLOG_QUIET_MS = 250;
const YIELD_POLL_MS = 250;
const RETRY_MS = 2_000;
const MAX_CLOSE_MS = 2_000;

export function openItemBuilder(options: ItemBuilderOptions): ItemBuilder {
  let backlogUntilMs = Number.NEGATIVE_INFINITY;
  let activeDrains = 0;
  let running: Promise<void> | null = null;
  let isClosed = false;
  const debounce = createDebounce(() => {
    startDrain().catch((error) => {
      options.onError(error);
      if (!isClosed) debounce.request(RETRY_MS, true);
    });
  });

  const step = async (): Promise<boolean> => {
    const writes = await buildNextBatch(options.rows, options.onError);
    for (const write of writes ?? []) options.onWritten(write);
    return writes !== null;
  };

  /** Waits while a backlog is ingested and no caller waits for us, but not forever. */
  const yieldToIngest = async (sinceMs: number): Promise<void> => {
    for (;;) {
      const nowMs = performance.now();
      const mustYield = options.shouldYield?.() === true;
      const untilMs = mustYield ? nowMs + YIELD_POLL_MS : Math.min(backlogUntilMs, sinceMs + MAX_DELAY_MS);
      if (isClosed || activeDrains > 0 || nowMs >= untilMs) return;
      await new Promise((resolve) => setTimeout(resolve, untilMs - nowMs).unref());
    }
  };

  const drainAll = async (): Promise<void> => {
    const sinceMs = debounce.start();
    await yieldToIngest(sinceMs);
    while (!isClosed && (await step())) {
      await new Promise((resolve) => setImmediate(resolve));
      await yieldToIngest(sinceMs);
    }
    options.onDrained();
  };

  const startDrain = (): Promise<void> => {
    const started = running === null ? drainAll() : running.then(drainAll, drainAll);
    running = started;
    return started.finally(() => {
      if (running === started) running = null;
    });
  };

  const drain = (): Promise<void> => {
    activeDrains++;
    return startDrain().finally(() => {
      activeDrains--;
    });
  };

  return {
    onEvents(events) {
      if (events.length === 0) return;
      if (events.length >= BACKLOG_THRESHOLD) backlogUntilMs = performance.now() + BACKLOG_QUIET_MS;
      const isUrgent = events.some(endsTurnOrSession);
      if (!isClosed) debounce.request(isUrgent ? SOON_MS : QUIET_MS, isUrgent);
    },
    drain,
    waiting: () => options.rows.outboxSize(),
    async close() {
      debounce.cancel();
      // The rest stays in the outbox.
      const limit = setTimeout(() => {
        isClosed = true;
      }, MAX_CLOSE_MS);
      await drain().catch(options.onError);
      clearTimeout(limit);
      isClosed = true;
    },
  };
}

/** Builds everything in the outbox of a database, e.g. after a rebuild. */
export async function buildAllItems(
  rows: MemoryRows,
  onError: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true && (await buildNextBatch(rows, onError)) !== null)
    await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs one step and returns what was written; null when nothing is pending. What the store rejects, because
 * something was forgotten meanwhile, is left to the next step, which reads it again.
 */
async function buildNextBatch(
  rows: MemoryRows,
  onError: (error: unknown) => void,
): Promise<readonly MemoryWrite[] | null> {
  const { entries, stamp } = await rows.outbox(STEP_ENTRIES);
  const [first] = entries;
  if (first === undefined) return null;
  // One kind at a time: entries of another kind may read what this one writes.
  const sameKind = entries.filter(({ kind }) => kind === first.kind);
  const written: MemoryWrite[] = [];
  for (const write of await buildOrSkip(rows, sameKind, onError)) {
    if (!(await rows.write(write, stamp))) break;
    written.push(write);
  }
  return written;
}

/** An entry that cannot be built is reported and skipped, without blocking the others. */
async function buildOrSkip(
  rows: MemoryRows,
  entries: readonly OutboxEntry[],
  onError: (error: unknown) => void,
): Promise<MemoryWrite[]> {
  try {
    return [await buildItems(rows, entries)];
  } catch (error) {
    if (entries.length === 1) {
      onError(error);
      return [{ done: entries }];
    }
    const writes: MemoryWrite[] = [];
    for (const entry of entries) writes.push(...(await buildOrSkip(rows, [entry], onError)));
    return writes;
  }
}

function endsTurnOrSession(event: HooklineEvent): boolean {
  return (
    event.eventType === "turn.end" || (event.eventType === "session.lifecycle" && event.phase === "ended")
  );
}
