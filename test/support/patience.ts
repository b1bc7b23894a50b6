/**
 * How long a test waits for something to appear. It costs nothing when all is well, and a busy machine must not
 * fail a test: limits on speed belong in a budget.
 */
export const PATIENCE_MS = 60_000;
/** For a whole test or hook, which may wait several times. */
export const TEST_TIMEOUT_MS = 300_000;
