import type { ModelStatus, StoppedBy } from "./model-status.ts";

/** Whether the model may be called now, and the last error or reason. */
export interface ModelBackoff {
  /** Blocks calls until then; null: until the day's budget allows them again. */
  halt(by: StoppedBy, untilMs: number | null): void;
  clear(): void;
  isStopped(): boolean;
  /** When calls are allowed again; null: now. */
  blockedUntilMs(): number | null;
  noteError(message: string | null): void;
  status(): Pick<ModelStatus, "stoppedBy" | "sinceIso" | "untilIso" | "lastError">;
}

interface Stop {
  readonly by: StoppedBy;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

export function createModelBackoff(now: () => number): ModelBackoff {
  let stop: Stop | null = null;
  let lastError: string | null = null;
  return {
    halt(by, untilMs) {
      stop = { by, untilMs, sinceMs: stop?.by === by ? stop.sinceMs : now() };
    },
    clear() {
      stop = null;
    },
    isStopped: () => stop !== null,
    blockedUntilMs: () => (stop?.untilMs != null && stop.untilMs > now() ? stop.untilMs : null),
    noteError(message) {
      lastError = message;
    },
    status: () => ({
      stoppedBy: stop?.by ?? null,
      sinceIso: stop === null ? null : new Date(stop.sinceMs).toISOString(),
      untilIso: stop?.untilMs == null ? null : new Date(stop.untilMs).toISOString(),
      lastError,
    }),
  };
}
