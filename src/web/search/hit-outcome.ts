import type { SearchHit } from "../../serve/contract.ts";

type Outcome = "failed" | "denied" | "interrupted";

/** The title prefixes of calls that never ran or were interrupted. */
const TITLE_PREFIXES: readonly (readonly [string, Outcome])[] = [
  ["User refused: ", "denied"],
  ["Not allowed: ", "denied"],
  ["Interrupted: ", "interrupted"],
];

/** The outcome of an unsuccessful call; null for all others. */
export function hitOutcome({ success, title }: Pick<SearchHit, "success" | "title">): Outcome | null {
  if (success !== false) return null;
  return TITLE_PREFIXES.find(([prefix]) => title.startsWith(prefix))?.[1] ?? "failed";
}
