import type { SessionSnapshot } from "../serve/contract.ts";

/** `~` before an estimate, `+` after what is not all; null when nothing has a price. */
export function costText(cost: SessionSnapshot["cost"]): string | null {
  if (cost.micros === null) return null;
  const sign = cost.source === "reported" ? "" : "~";
  return `${sign}${microsText(cost.micros)}${cost.unpricedModels.length > 0 ? "+" : ""}`;
}

/** The same of a sum over sessions; null also for less than a cent can show. */
export function spentText(cost: SessionSnapshot["cost"]): string | null {
  return cost.micros !== null && cost.micros < HALF_A_CENT ? null : costText(cost);
}

const HALF_A_CENT = 5_000;

export function microsText(micros: number): string {
  const dollars = micros / 1_000_000;
  return `$${dollars.toFixed(dollars >= 1_000 ? 0 : 2)}`;
}

/** 950, 88k, 1.2M. */
export function countText(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** `1 turn`, `2 turns`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
