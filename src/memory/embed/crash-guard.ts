import { countCrash, describeBlock, NO_CRASHES } from "./crash-count.ts";

/** Tracks crashes of successive workers, and blocks starting another one for a while. */
export interface CrashGuard {
  recordCrash(why: string): void;
  /** Call after a success. */
  reset(): void;
  /** Why no worker may start now; null: one may. */
  blockedReason(): string | null;
}

export function createCrashGuard(clock: () => number): CrashGuard {
  let crashes = NO_CRASHES;
  return {
    recordCrash(why) {
      crashes = countCrash(crashes, clock(), why);
    },
    reset() {
      crashes = NO_CRASHES;
    },
    blockedReason: () => describeBlock(crashes, clock()),
  };
}
