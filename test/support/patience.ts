/**
 * How long a test waits for something to appear. It costs nothing when all is well, and a machine that is busy with
 * other work must not be what fails a test: a bound on speed belongs into a budget, not here.
 */
export const PATIENCE_MS = 60_000;
/** A whole test or hook, in which several things may be waited for. */
export const TEST_TIMEOUT_MS = 300_000;
