/** Runs rounds of work, one at a time, when they are due. */
export interface WorkLoop {
  /** Schedules a round for then at the latest; one already scheduled earlier suffices. */
  wakeAt(atMs: number): void;
  /** Starts no further round. Resolves when the current one is over. */
  close(): Promise<void>;
}

export interface WorkLoopOptions {
  /** Runs one round and returns when the next is due, if any. */
  readonly work: () => Promise<number | undefined>;
  readonly now: () => number;
  readonly schedule: (work: () => void, delayMs: number) => { cancel(): void };
  readonly onError: (error: unknown) => void;
  readonly closing: AbortSignal;
}

/** Clocks can be set and days end, so the loop rechecks at least this often. */
export const MAX_WAIT_MS = 10 * 60_000;
const RETRY_MS = 60_000;

export function createWorkLoop({ work, now, closing, ...options }: WorkLoopOptions): WorkLoop {
  let running: Promise<void> | null = null;
  /** A wake-up during a round: that round may have checked before the job was queued. */
  let isDueAgain = false;
  let timer: { readonly dueMs: number; cancel(): void } | null = null;

  const wakeAt = (atMs: number): void => {
    const nowMs = now();
    const dueMs = Math.min(Math.max(atMs, nowMs), nowMs + MAX_WAIT_MS);
    if (closing.aborted || (timer !== null && timer.dueMs <= dueMs)) return;
    timer?.cancel();
    const { cancel } = options.schedule(run, dueMs - nowMs);
    timer = { dueMs, cancel };
  };

  const run = (): void => {
    timer = null;
    isDueAgain = running !== null;
    if (running !== null || closing.aborted) return;
    running = work()
      .catch((error: unknown) => {
        options.onError(error);
        return now() + RETRY_MS;
      })
      .then((nextAtMs) => {
        running = null;
        if (isDueAgain) wakeAt(now());
        else if (nextAtMs !== undefined) wakeAt(nextAtMs);
      });
  };

  return {
    wakeAt,
    async close() {
      timer?.cancel();
      await running;
    },
  };
}
