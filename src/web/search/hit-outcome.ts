import type { SearchHit } from "../../serve/contract.ts";

type Outcome = "failed" | "denied" | "interrupted";

/** How memory titles calls that never ran, or whose outcome is unknown. */
const TITLE_PREFIXES: readonly (readonly [string, Outcome])[] = [
  ["User refused: ", "denied"],
  ["Not allowed: ", "denied"],
  ["Interrupted: ", "interrupted"],
];

/** How a call ended that did not succeed; null for all others. */
export function hitOutcome({ success, title }: Pick<SearchHit, "success" | "title">): Outcome | null {
  if (success !== false) return null;
  return TITLE_PREFIXES.find(([prefix]) => title.startsWith(prefix))?.[1] ?? "failed";
}
