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

/** Read and written in one go: some ten milliseconds, during which hooks are not ingested. */
const STEP = 100;
/** The text around a call comes from the transcript, a second after the call itself. */
const QUIET_MS = 1_500;
/** The next session should find what this turn did. */
const SOON_MS = 150;
/** A backlog, which is ingested first: side by side, both would take three times as long. */
const MANY = 50;
const BACKLOG_MS = 250;
const HELD_MS = 250;
const RETRY_MS = 2_000;
const LAST_MS = 2_000;

export function openItemBuilder(options: ItemBuilderOptions): ItemBuilder {
  let backlogUntilMs = Number.NEGATIVE_INFINITY;
  let hurrying = 0;
  let running: Promise<void> | null = null;
  let isClosed = false;
  const asks = createDebounce(() => {
    next().catch((error) => {
      options.onError(error);
      if (!isClosed) asks.request(RETRY_MS, true);
    });
  });

  const step = async (): Promise<boolean> => {
    const writes = await buildNextBatch(options.rows, options.onError);
    for (const write of writes ?? []) options.onWritten(write);
    return writes !== null;
  };

  /** Waits while a backlog is ingested and nobody waits for us, but not forever. */
  const giveWay = async (sinceMs: number): Promise<void> => {
    for (;;) {
      const nowMs = performance.now();
      const isHeld = options.shouldYield?.() === true;
      const untilMs = isHeld ? nowMs + HELD_MS : Math.min(backlogUntilMs, sinceMs + MAX_DELAY_MS);
      if (isClosed || hurrying > 0 || nowMs >= untilMs) return;
      await new Promise((resolve) => setTimeout(resolve, untilMs - nowMs).unref());
    }
  };

  const drainAll = async (): Promise<void> => {
    const sinceMs = asks.start();
    await giveWay(sinceMs);
    while (!isClosed && (await step())) {
      await new Promise((resolve) => setImmediate(resolve));
      await giveWay(sinceMs);
    }
    options.onDrained();
  };

  const next = (): Promise<void> => {
    const begun = running === null ? drainAll() : running.then(drainAll, drainAll);
    running = begun;
    return begun.finally(() => {
      if (running === begun) running = null;
    });
  };

  const drain = (): Promise<void> => {
    hurrying++;
    return next().finally(() => {
      hurrying--;
    });
  };

  return {
    onEvents(events) {
      if (events.length === 0) return;
      if (events.length >= MANY) backlogUntilMs = performance.now() + BACKLOG_MS;
      const isUrgent = events.some(endsTurnOrSession);
      if (!isClosed) asks.request(isUrgent ? SOON_MS : QUIET_MS, isUrgent);
    },
    drain,
    waiting: () => options.rows.outboxSize(),
    async close() {
      asks.cancel();
      // The rest stays in the outbox.
      const limit = setTimeout(() => {
        isClosed = true;
      }, LAST_MS);
      await drain().catch(options.onError);
      clearTimeout(limit);
      isClosed = true;
    },
  };
}

/** Builds everything in the outbox of a database, e.g. after a rebuild. */
export async function buildAllItems(
  rows: MemoryRows,
  onTrouble: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true && (await buildNextBatch(rows, onTrouble)) !== null)
    await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs one step and returns what was written; null when nothing is pending. What the store rejects, because
 * something was forgotten meanwhile, is left to the next step, which reads it again.
 */
async function buildNextBatch(
  rows: MemoryRows,
  onTrouble: (error: unknown) => void,
): Promise<readonly MemoryWrite[] | null> {
  const { entries, stamp } = await rows.outbox(STEP);
  const [first] = entries;
  if (first === undefined) return null;
  // One kind at a time: entries of another kind may read what this one writes.
  const alike = entries.filter(({ kind }) => kind === first.kind);
  const written: MemoryWrite[] = [];
  for (const write of await buildOrSkip(rows, alike, onTrouble)) {
    if (!(await rows.write(write, stamp))) break;
    written.push(write);
  }
  return written;
}

/** An entry that cannot be built is reported and skipped, without blocking the others. */
async function buildOrSkip(
  rows: MemoryRows,
  entries: readonly OutboxEntry[],
  onTrouble: (error: unknown) => void,
): Promise<MemoryWrite[]> {
  try {
    return [await buildItems(rows, entries)];
  } catch (error) {
    if (entries.length === 1) {
      onTrouble(error);
      return [{ done: entries }];
    }
    const each: MemoryWrite[] = [];
    for (const entry of entries) each.push(...(await buildOrSkip(rows, [entry], onTrouble)));
    return each;
  }
}

function endsTurnOrSession(event: HooklineEvent): boolean {
  return (
    event.eventType === "turn.end" || (event.eventType === "session.lifecycle" && event.phase === "ended")
  );
}
