/** Runs work at most once per interval: the first time immediately, later requests at its end. */
export interface Throttle {
  request(): void;
  /** Runs now, for a waiting caller. */
  run(): void;
  close(): void;
}

export function createThrottle(work: () => void, intervalMs: number): Throttle {
  let lastRunMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    clearTimeout(timer);
    timer = undefined;
    lastRunMs = performance.now();
    work();
  };
  return {
    request() {
      const remainingMs = lastRunMs + intervalMs - performance.now();
      if (remainingMs <= 0) run();
      else timer ??= setTimeout(run, remainingMs).unref();
    },
    run,
    close: () => clearTimeout(timer),
  };
}
