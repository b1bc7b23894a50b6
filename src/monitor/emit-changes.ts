/** Reports changes soon after they happen, and not too often. */
export interface Emitter {
  /** Now, whatever was about to be reported. */
  emit(): void;
  /** At once after a rest, otherwise when the rest is over. */
  emitSoon(): void;
  /** Nothing more is reported later; what already was about to be still is. */
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
