import { isDeniedCall, wasInterrupted } from "../../agents/denied-call.ts";
import type { IndexedItem } from "../../store/item-changes.ts";
import { REFUSAL_TITLES } from "../compress/refusal-titles.ts";
import type { SearchHit } from "../memory-contract.ts";

/** How an item's call ended without success; null for all others. */
export function hitOutcome(
  { success, failedCall }: Pick<IndexedItem, "success" | "failedCall">,
  title: string,
): SearchHit["outcome"] {
  if (success !== false) return null;
  if (failedCall !== null) {
    if (wasInterrupted(failedCall)) return "interrupted";
    return isDeniedCall(failedCall) ? "denied" : "failed";
  }
  // An imported item has only its title.
  if (title.startsWith(REFUSAL_TITLES.interruption)) return "interrupted";
  const isDenied = title.startsWith(REFUSAL_TITLES.person) || title.startsWith(REFUSAL_TITLES.rule);
  return isDenied ? "denied" : "failed";
}
