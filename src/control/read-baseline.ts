import { asObject } from "../agents/read-json.ts";
import type { Query } from "./agent-sdk.ts";
import type { Totals } from "./driven-input.ts";
import { toTotals } from "./from-sdk.ts";

const USAGE_METHOD = "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET";
const TIMEOUT_MS = 5_000;

/**
 * What a resumed session reports as spent so far. A later SDK may drop this call; without it, the first turn
 * after a resume has no cost.
 */
export async function readBaseline(query: Query): Promise<Totals | null> {
  const readUsage = (query as Partial<Query>)[USAGE_METHOD];
  if (readUsage === undefined) return null;
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT_MS, null).unref());
  try {
    const answer = await Promise.race([readUsage.call(query, { skipBehaviors: true }), timeout]);
    if (answer === null) return null;
    const session = asObject(asObject(answer)["session"]);
    return toTotals(session["total_cost_usd"], session["model_usage"]);
  } catch {
    return null;
  }
}
