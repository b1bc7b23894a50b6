/** Reports changes promptly, but rate-limited. */
export interface Emitter {
  /** Reports immediately, including anything scheduled. */
  emit(): void;
  /** Reports on the next tick if the last report is old enough, otherwise as soon as it is. */
  emitSoon(): void;
  /** Schedules no further reports; one already scheduled still runs. */
  stop(): void;
  cancel(): void;
}

const MIN_INTERVAL_MS = 20;

export function createEmitter(monotonicMs: () => number, report: () => void): Emitter {
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let emittedAtMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  const emit = (): void => {
    timer = null;
    emittedAtMs = monotonicMs();
    report();
  };

  return {
    emit,
    emitSoon() {
      if (timer !== null || isStopped) return;
      const delayMs = emittedAtMs + MIN_INTERVAL_MS - monotonicMs();
      timer = delayMs <= 0 ? setImmediate(emit) : setTimeout(emit, delayMs);
    },
    stop() {
      isStopped = true;
    },
    cancel() {
      clearTimeout(timer as NodeJS.Timeout);
      clearImmediate(timer as NodeJS.Immediate);
    },
  };
}
