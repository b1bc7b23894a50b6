import type { ModelStatus, StoppedBy } from "./model-status.ts";

/** Whether the model is asked now, and what it last said or did instead of answering. */
export interface ModelStop {
  /** Nothing is asked until then; null: as long as the day's budget is used up. */
  halt(by: StoppedBy, untilMs: number | null): void;
  clear(): void;
  isStopped(): boolean;
  /** Until when nothing may be asked; null: it may. */
  waitsUntilMs(): number | null;
  noteError(message: string | null): void;
  status(): Pick<ModelStatus, "stoppedBy" | "sinceIso" | "untilIso" | "lastError">;
}

interface Stop {
  readonly by: StoppedBy;
  readonly sinceMs: number;
  readonly untilMs: number | null;
}

export function createModelStop(now: () => number): ModelStop {
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
    waitsUntilMs: () => (stop?.untilMs != null && stop.untilMs > now() ? stop.untilMs : null),
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
