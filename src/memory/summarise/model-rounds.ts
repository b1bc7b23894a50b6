/** Runs rounds of work, one at a time, when they are due. */
export interface Rounds {
  /** A round is due then, at the latest; an earlier one that is due already stands for it. */
  wakeAt(atMs: number): void;
  /** No round begins any more. Resolves when the one that runs is over. */
  close(): Promise<void>;
}

export interface RoundsOptions {
  /** One round. Gives when the next is due, if any. */
  readonly work: () => Promise<number | undefined>;
  readonly now: () => number;
  readonly schedule: (work: () => void, delayMs: number) => { cancel(): void };
  readonly onTrouble: (error: unknown) => void;
  readonly closing: AbortSignal;
}

/** A clock may be set, a day may end: nobody waits longer without looking again. */
export const LOOK_MS = 10 * 60_000;
const TROUBLE_MS = 60_000;

export function createRounds({ work, now, closing, ...options }: RoundsOptions): Rounds {
  let running: Promise<void> | null = null;
  /** A wake-up that came while a round ran: that round may have looked before the job was queued. */
  let isDueAgain = false;
  let timer: { readonly dueMs: number; cancel(): void } | null = null;

  const wakeAt = (atMs: number): void => {
    const nowMs = now();
    const dueMs = Math.min(Math.max(atMs, nowMs), nowMs + LOOK_MS);
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
        options.onTrouble(error);
        return now() + TROUBLE_MS;
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
