/**
 * The keys that answer a request, identical in the web UI, `top`, `run`, `attach` and `answer`, so that
 * nobody grants more than intended out of habit.
 */
export const ANSWER_KEYS = {
  allowOnce: "y",
  /** Allow exactly this call for the session; for a plan, also accept edits. */
  allowExact: "a",
  /** Allow every call of the tool for the session. */
  allowTool: "A",
  deny: "d",
  denyWhy: "D",
} as const;
