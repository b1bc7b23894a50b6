import type { Driven } from "./driven-state.ts";

/** An interrupt takes effect within 300 ms; an agent that ignores it is killed. */
const INTERRUPT_TIMEOUT_MS = 250;
const START_TIMEOUT_MS = 15_000;
export const END_TIMEOUT_MS = 3_000;

export interface StopTimeoutOptions {
  readonly state: () => Pick<Driven, "stopping" | "init">;
  /** The agent may be waiting for replies, which are denied. */
  readonly onIgnored: () => void;
  readonly onStuck: () => void;
}

/** Called at each stop; a later stop supersedes an earlier one. */
export function createStopTimeout({ state, onIgnored, onStuck }: StopTimeoutOptions): () => void {
  let stops = 0;
  return () => {
    stops += 1;
    const thisStop = stops;
    const ifStillStopping = (action: () => void) => () => {
      if (stops === thisStop && state().stopping) action();
    };
    runAfter(INTERRUPT_TIMEOUT_MS, ifStillStopping(onIgnored));
    // An agent that has sent nothing yet is still starting.
    runAfter(state().init === null ? START_TIMEOUT_MS : END_TIMEOUT_MS, ifStillStopping(onStuck));
  };
}

export function runAfter(ms: number, action: () => unknown): void {
  setTimeout(action, ms).unref();
}
