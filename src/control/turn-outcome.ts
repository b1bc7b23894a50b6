import type { AgentResult } from "./driven-input.ts";
import type { OUTCOMES } from "./envelope.ts";

type Outcome = (typeof OUTCOMES)[number];

/** `subtype: success` only means that the loop completed: it also does when the API refuses. */
const BY_SUBTYPE: ReadonlyMap<string, Outcome> = new Map([
  ["error_max_turns", "max_turns"],
  ["error_max_budget_usd", "max_budget"],
]);

const BY_REASON: ReadonlyMap<string, Outcome> = new Map([
  ["aborted_streaming", "interrupted"],
  ["aborted_tools", "interrupted"],
  ["prompt_too_long", "prompt_too_long"],
  ["max_turns", "max_turns"],
  ["budget_exhausted", "max_budget"],
  ["api_error", "api_error"],
  ["model_error", "api_error"],
  ["image_error", "api_error"],
]);

export function outcomeOf(
  result: Pick<AgentResult, "subtype" | "isError" | "terminalReason" | "apiStatus">,
): Outcome {
  const known = BY_SUBTYPE.get(result.subtype) ?? BY_REASON.get(result.terminalReason ?? "");
  if (known !== undefined) return known;
  if (result.apiStatus !== null) return "api_error";
  return result.subtype === "success" && !result.isError ? "completed" : "failed";
}
