import { countCrash, describeBlock, NO_CRASHES } from "./crash-count.ts";

/** Remembers the crashes of a row of workers, and for how long no other is started. */
export interface CrashGuard {
  count(why: string): void;
  /** Something went well. */
  clear(): void;
  /** Why no worker is started now; null: one is. */
  block(): string | null;
}

export function createCrashGuard(clock: () => number): CrashGuard {
  let crashes = NO_CRASHES;
  return {
    count(why) {
      crashes = countCrash(crashes, clock(), why);
    },
    clear() {
      crashes = NO_CRASHES;
    },
    block: () => describeBlock(crashes, clock()),
  };
}
