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

export function createDebounce(act: () => void): Debounce {
  let timer: NodeJS.Timeout | null = null;
  /** The deadline, whatever else is requested. */
  let latestMs = Number.POSITIVE_INFINITY;
  let firstAskedMs: number | null = null;

  return {
    request(delayMs, isUrgent) {
      const nowMs = performance.now();
      firstAskedMs ??= nowMs;
      latestMs = Math.min(latestMs, nowMs + (isUrgent ? delayMs : MAX_DELAY_MS));
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = null;
          act();
        },
        Math.min(delayMs, Math.max(0, latestMs - nowMs)),
      ).unref();
    },
    start() {
      const sinceMs = firstAskedMs ?? performance.now();
      firstAskedMs = null;
      latestMs = Number.POSITIVE_INFINITY;
      return sinceMs;
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
