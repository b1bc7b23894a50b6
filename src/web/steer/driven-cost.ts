import type { DrivenSession } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { formatCost } from "../i18n/format.ts";

/**
 * A driven session's cost: from its snapshot, as everywhere else. The agent's own total comes only at the end
 * of a turn, so it is used only without a snapshot.
 */
export function drivenCostText(
  { totalCostUsd }: DrivenSession,
  snapshot: SessionSnapshot | undefined,
): string {
  const reported = { micros: totalCostUsd * 1_000_000, source: "reported", unpricedModels: [] } as const;
  return formatCost(snapshot?.cost ?? reported);
}
