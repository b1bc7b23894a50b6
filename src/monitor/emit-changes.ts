/** Reports changes promptly, but rate-limited. */
export interface Emitter {
  /** Reports immediately, including anything scheduled. */
  emit(): void;
  /** Reports immediately if the last report is old enough, otherwise when it is. */
  emitSoon(): void;
  /** Schedules no further reports; one already scheduled still runs. */
  stop(): void;
  cancel(): void;
}

const EMIT_MS = 20;

export function createEmitter(monotonicMs: () => number, report: () => void): Emitter {
  let emitting: NodeJS.Timeout | NodeJS.Immediate | null = null;
  let emittedAtMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  const emit = (): void => {
    emitting = null;
    emittedAtMs = monotonicMs();
    report();
  };

  return {
    emit,
    emitSoon() {
      if (emitting !== null || isStopped) return;
      const restMs = emittedAtMs + EMIT_MS - monotonicMs();
      emitting = restMs <= 0 ? setImmediate(emit) : setTimeout(emit, restMs);
    },
    stop() {
      isStopped = true;
    },
    cancel() {
      clearTimeout(emitting as NodeJS.Timeout);
      clearImmediate(emitting as NodeJS.Immediate);
    },
  };
}
