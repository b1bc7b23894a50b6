/**
 * Judging is bounded by the work it does, not by the clock, so the same request gets the same verdict on every machine.
 * One unit is about one character read once. The counter is module state because judging is synchronous and every leaf
 * of it spends: docs/decisions/0026-bounded-judging.md.
 */

/** 50 ms of CPU for the slowest inputs known: `npm run bench -- --only ask` measures them. */
export const MAX_WORK = 2_500_000;

export class TooLongToJudge extends Error {
  override readonly name = "TooLongToJudge";
}

let workLeft = Number.POSITIVE_INFINITY;

/** Counts work before it is done. Throws once the budget is used up. */
export function spend(work: number): void {
  if (work > workLeft) {
    workLeft = 0;
    throw new TooLongToJudge();
  }
  workLeft -= work;
}

/** For input that exceeds a limit: what is not checked must not be allowed. */
export function giveUp(): never {
  throw new TooLongToJudge();
}

/** Runs within a budget. Null when it is used up, or the input is nested deeper than the stack. */
export function withinBudget<T>(run: () => T, budget = MAX_WORK): T | null {
  const workLeftOutside = workLeft;
  workLeft = Math.min(workLeftOutside, budget);
  try {
    return run();
  } catch (error) {
    if (error instanceof TooLongToJudge || isStackOverflow(error)) return null;
    throw error;
  } finally {
    workLeft =
      workLeftOutside === Number.POSITIVE_INFINITY
        ? workLeftOutside
        : workLeftOutside - (Math.min(workLeftOutside, budget) - workLeft);
  }
}

/** Measures work, for tests and benchmarks. */
export function measureWork(run: () => unknown): number {
  const workLeftOutside = workLeft;
  workLeft = Number.MAX_SAFE_INTEGER;
  try {
    run();
    return Number.MAX_SAFE_INTEGER - workLeft;
  } finally {
    workLeft = workLeftOutside;
  }
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
