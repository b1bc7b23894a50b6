/** Runs work at most once per interval: the first time immediately, later requests at its end. */
export interface Throttle {
  request(): void;
  /** Runs now, for a waiting caller. */
  run(): void;
  close(): void;
}

export function createThrottle(work: () => void, restMs: number): Throttle {
  let ranMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    clearTimeout(timer);
    timer = undefined;
    ranMs = performance.now();
    work();
  };
  return {
    request() {
      const leftMs = ranMs + restMs - performance.now();
      if (leftMs <= 0) run();
      else timer ??= setTimeout(run, leftMs).unref();
    },
    run,
    close: () => clearTimeout(timer),
  };
}
