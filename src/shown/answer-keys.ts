/**
 * The keys that answer a request, the same on the pages, in `top` and in `run`, `attach` and `answer`: one habit for all,
 * so that nobody grants more than they mean to.
 */
export const ANSWER_KEYS = {
  allowOnce: "y",
  /** Just this again, for the session; of a plan: and accept edits. */
  allowExact: "a",
  /** Every call of the tool, for the session. */
  allowTool: "A",
  deny: "d",
  denyWhy: "D",
} as const;
