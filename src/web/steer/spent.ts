import type { DrivenSession } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { money } from "../words/amounts.ts";

/**
 * What a driven session has cost: the figure of its snapshot, as every other place shows it. The agent's own total comes
 * only with the end of a turn, so it stands in where there is no snapshot.
 */
export function spentBy({ totalCostUsd }: DrivenSession, known: SessionSnapshot | undefined): string {
  const told = { micros: totalCostUsd * 1_000_000, source: "reported", unpricedModels: [] } as const;
  return money(known?.cost ?? told);
}
