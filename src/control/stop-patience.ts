import type { Driven } from "./driven-state.ts";

/** An interrupt is obeyed within 300 ms; what does not obey is ended. */
const OBEYS_MS = 250;
const STARTS_MS = 15_000;
export const ENDS_MS = 3_000;

export interface StopPatienceOptions {
  readonly state: () => Pick<Driven, "stopping" | "init">;
  /** It may wait for replies: they are denied. */
  readonly onIgnored: () => void;
  readonly onStuck: () => void;
}

/** Called at each stop; a later stop takes the place of an earlier one. */
export function createStopPatience({ state, onIgnored, onStuck }: StopPatienceOptions): () => void {
  let stops = 0;
  return () => {
    stops += 1;
    const mine = stops;
    const ifStillStopping = (act: () => void) => () => {
      if (stops === mine && state().stopping) act();
    };
    later(OBEYS_MS, ifStillStopping(onIgnored));
    // One that has not said a word yet is still starting.
    later(state().init === null ? STARTS_MS : ENDS_MS, ifStillStopping(onStuck));
  };
}

export function later(ms: number, act: () => unknown): void {
  setTimeout(act, ms).unref();
}
