/** Runs work at most once in a while: the first time at once, what is asked for meanwhile at the end of it. */
export interface Throttle {
  ask(): void;
  /** Now, for somebody who waits. */
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
    ask() {
      const leftMs = ranMs + restMs - performance.now();
      if (leftMs <= 0) run();
      else timer ??= setTimeout(run, leftMs).unref();
    },
    run,
    close: () => clearTimeout(timer),
  };
}
