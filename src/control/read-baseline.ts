import { asObject } from "../agents/read-json.ts";
import type { Totals } from "./driven-input.ts";
import { toTotals } from "./from-sdk.ts";
import type { Query } from "./sdk-door.ts";

const ASK = "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET";
const WAITS_MS = 5_000;

/**
 * What a resumed session says it has spent so far. The call may vanish from a later SDK; without it the first turn
 * after a resume has no cost of its own.
 */
export async function readBaseline(query: Query): Promise<Totals | null> {
  const ask = (query as Partial<Query>)[ASK];
  if (ask === undefined) return null;
  const silent = new Promise<null>((resolve) => setTimeout(resolve, WAITS_MS, null).unref());
  try {
    const answer = await Promise.race([ask.call(query, { skipBehaviors: true }), silent]);
    if (answer === null) return null;
    const session = asObject(asObject(answer)["session"]);
    return toTotals(session["total_cost_usd"], session["model_usage"]);
  } catch {
    return null;
  }
}
