/** Delays work until requests stop arriving, but not forever. */
export interface Debounce {
  /** Schedules the work after this delay; a newer request postpones it, unless this one is urgent. */
  request(delayMs: number, isUrgent: boolean): void;
  /** Call when the work starts. Returns the time of the first request. */
  start(): number;
  cancel(): void;
}

/** Continuous requests cannot postpone the work for longer. */
export const MAX_DELAY_MS = 10_000;

export function createDebounce(run: () => void): Debounce {
  let timer: NodeJS.Timeout | null = null;
  /** The deadline, whatever else is requested. */
  let deadlineMs = Number.POSITIVE_INFINITY;
  let firstRequestMs: number | null = null;

  return {
    request(delayMs, isUrgent) {
      const nowMs = performance.now();
      firstRequestMs ??= nowMs;
      deadlineMs = Math.min(deadlineMs, nowMs + (isUrgent ? delayMs : MAX_DELAY_MS));
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = null;
          run();
        },
        Math.min(delayMs, Math.max(0, deadlineMs - nowMs)),
      ).unref();
    },
    start() {
      const sinceMs = firstRequestMs ?? performance.now();
      firstRequestMs = null;
      deadlineMs = Number.POSITIVE_INFINITY;
      return sinceMs;
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
