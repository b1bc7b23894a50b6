import type { HooklineEvent } from "../event/event.ts";
import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { gatherAsks, LONGEST_MS } from "./gather-asks.ts";
import { makeItems } from "./make-items.ts";

/** Makes what is remembered of what was recorded, a little at a time, when nothing else is to be done. */
export interface MemoryKeeper {
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[]): void;
  /** Makes all that is to be made now. */
  drain(): Promise<void>;
  waiting(): Promise<number>;
  close(): Promise<void>;
}

export interface MemoryKeeperOptions {
  readonly rows: MemoryRows;
  /** An import or a rebuild runs, to which this gives way. */
  readonly isHeld?: (() => boolean) | undefined;
  /** After a step: what was written. */
  readonly onWritten: (write: MemoryWrite) => void;
  /** Nothing is left to make. */
  readonly onLevel: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** Read and written at one go: some ten milliseconds, in which hooks are not taken in. */
const STEP = 100;
/** The words around a call come from the transcript, a second after the call itself. */
const QUIET_MS = 1_500;
/** Whoever begins the next session wants to find what this turn did. */
const SOON_MS = 150;
/** So many at once are a backlog, which is to be taken in first: beside it both would take three times as long. */
const MANY = 50;
const BACKLOG_MS = 250;
const HELD_MS = 250;
const RETRY_MS = 2_000;
const LAST_MS = 2_000;

export function keepMemory(options: MemoryKeeperOptions): MemoryKeeper {
  let backlogUntilMs = Number.NEGATIVE_INFINITY;
  let hurrying = 0;
  let running: Promise<void> | null = null;
  let isClosed = false;
  const asks = gatherAsks(() => {
    next().catch((error) => {
      options.onTrouble(error);
      if (!isClosed) asks.ask(RETRY_MS, true);
    });
  });

  const step = async (): Promise<boolean> => {
    const writes = await makeSome(options.rows, options.onTrouble);
    for (const write of writes ?? []) options.onWritten(write);
    return writes !== null;
  };

  /** While a backlog comes in and nobody waits for us, but not for ever. */
  const giveWay = async (sinceMs: number): Promise<void> => {
    for (;;) {
      const nowMs = performance.now();
      const isHeld = options.isHeld?.() === true;
      const untilMs = isHeld ? nowMs + HELD_MS : Math.min(backlogUntilMs, sinceMs + LONGEST_MS);
      if (isClosed || hurrying > 0 || nowMs >= untilMs) return;
      await new Promise((resolve) => setTimeout(resolve, untilMs - nowMs).unref());
    }
  };

  const drainAll = async (): Promise<void> => {
    const sinceMs = asks.begin();
    await giveWay(sinceMs);
    while (!isClosed && (await step())) {
      await new Promise((resolve) => setImmediate(resolve));
      await giveWay(sinceMs);
    }
    options.onLevel();
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
    told(events) {
      if (events.length === 0) return;
      if (events.length >= MANY) backlogUntilMs = performance.now() + BACKLOG_MS;
      const isUrgent = events.some(isRest);
      if (!isClosed) asks.ask(isUrgent ? SOON_MS : QUIET_MS, isUrgent);
    },
    drain,
    waiting: () => options.rows.outboxSize(),
    async close() {
      asks.cancel();
      // What is left stays in the outbox.
      const limit = setTimeout(() => {
        isClosed = true;
      }, LAST_MS);
      await drain().catch(options.onTrouble);
      clearTimeout(limit);
      isClosed = true;
    },
  };
}

/** Makes all that the outbox of a database asks for, as when it was rebuilt. */
export async function makeAll(
  rows: MemoryRows,
  onTrouble: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true && (await makeSome(rows, onTrouble)) !== null)
    await new Promise((resolve) => setImmediate(resolve));
}

/**
 * One step: what was written; null when there is nothing to make. What the store does not take any more, because
 * something was forgotten meanwhile, is left to the next step, which reads it anew.
 */
async function makeSome(
  rows: MemoryRows,
  onTrouble: (error: unknown) => void,
): Promise<readonly MemoryWrite[] | null> {
  const { entries, stamp } = await rows.outbox(STEP);
  const [first] = entries;
  if (first === undefined) return null;
  // What is made of a kind must be written before another kind that is made of it, or tells of it, is looked at.
  const alike = entries.filter(({ kind }) => kind === first.kind);
  const written: MemoryWrite[] = [];
  for (const write of await makeSafely(rows, alike, onTrouble)) {
    if (!(await rows.write(write, stamp))) break;
    written.push(write);
  }
  return written;
}

/** One entry that cannot be made is told and left out; it does not keep the others. */
async function makeSafely(
  rows: MemoryRows,
  entries: readonly OutboxEntry[],
  onTrouble: (error: unknown) => void,
): Promise<MemoryWrite[]> {
  try {
    return [await makeItems(rows, entries)];
  } catch (error) {
    if (entries.length === 1) {
      onTrouble(error);
      return [{ done: entries }];
    }
    const each: MemoryWrite[] = [];
    for (const entry of entries) each.push(...(await makeSafely(rows, [entry], onTrouble)));
    return each;
  }
}

function isRest(event: HooklineEvent): boolean {
  return (
    event.eventType === "turn.end" || (event.eventType === "session.lifecycle" && event.phase === "ended")
  );
}
