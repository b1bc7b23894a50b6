import type { HooklineEvent } from "../event/event.ts";
import type { MemoryRows, MemoryWrite, OutboxEntry } from "../store/memory-rows.ts";
import { makeItems } from "./make-items.ts";

/** Makes what is remembered of what was recorded, a little at a time, when nothing else is to be done. */
export interface MemoryKeeper {
  /** What the database has just taken. */
  told(events: readonly HooklineEvent[]): void;
  /** Makes all that is to be made now. */
  drain(): Promise<void>;
  waiting(): number;
  close(): Promise<void>;
}

export interface MemoryKeeperOptions {
  readonly rows: <T>(work: (rows: MemoryRows) => T) => T;
  /** After a step: what was written. */
  readonly onWritten: (write: MemoryWrite) => void;
  /** Nothing is left to make. */
  readonly onLevel: () => void;
  readonly onTrouble: (error: unknown) => void;
}

/** In one transaction: some ten milliseconds, in which hooks are not taken in. */
const STEP = 100;
/** The words around a call come from the transcript, a second after the call itself. */
const QUIET_MS = 1_500;
/** A session that never rests is remembered too. */
const LONGEST_MS = 10_000;
/** Whoever begins the next session wants to find what this turn did. */
const SOON_MS = 150;
const RETRY_MS = 2_000;
const LAST_MS = 2_000;

export function keepMemory(options: MemoryKeeperOptions): MemoryKeeper {
  let timer: NodeJS.Timeout | null = null;
  let dueMs = 0;
  let firstAskedMs: number | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  const schedule = (delayMs: number): void => {
    if (isClosed) return;
    const nowMs = performance.now();
    firstAskedMs ??= nowMs;
    const wantedMs = Math.min(nowMs + delayMs, firstAskedMs + LONGEST_MS);
    if (timer !== null && delayMs === SOON_MS && dueMs <= wantedMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = wantedMs;
    timer = setTimeout(() => {
      timer = null;
      drain().catch((error) => {
        options.onTrouble(error);
        schedule(RETRY_MS);
      });
    }, wantedMs - nowMs).unref();
  };

  const step = (): boolean =>
    options.rows((rows) => {
      const entries = rows.outbox(STEP);
      if (entries.length === 0) return false;
      for (const write of makeSafely(rows, entries)) {
        rows.write(write);
        options.onWritten(write);
      }
      return true;
    });

  /** One entry that cannot be made is told and left out; it does not keep the others. */
  const makeSafely = (rows: MemoryRows, entries: readonly OutboxEntry[]): MemoryWrite[] => {
    try {
      return [makeItems(rows, entries)];
    } catch (error) {
      if (entries.length > 1) return entries.flatMap((entry) => makeSafely(rows, [entry]));
      options.onTrouble(error);
      return [{ done: entries }];
    }
  };

  const drainAll = async (): Promise<void> => {
    firstAskedMs = null;
    while (!isClosed && step()) await new Promise((resolve) => setImmediate(resolve));
    options.onLevel();
  };

  const drain = (): Promise<void> => {
    const next = running === null ? drainAll() : running.then(drainAll, drainAll);
    running = next;
    return next.finally(() => {
      if (running === next) running = null;
    });
  };

  return {
    told(events) {
      if (events.length === 0) return;
      schedule(events.some(isRest) ? SOON_MS : QUIET_MS);
    },
    drain,
    waiting: () => options.rows((rows) => rows.outboxSize()),
    async close() {
      if (timer !== null) clearTimeout(timer);
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

function isRest(event: HooklineEvent): boolean {
  return (
    event.eventType === "turn.end" || (event.eventType === "session.lifecycle" && event.phase === "ended")
  );
}
