import type { SessionSnapshot } from "../serve/contract.ts";
import { costText } from "../shown/cost-text.ts";

/** The total cost over sessions; null also when it is too small to show in cents. */
export function spentText(cost: SessionSnapshot["cost"]): string | null {
  return cost.micros !== null && cost.micros < HALF_CENT_MICROS ? null : costText(cost);
}

const HALF_CENT_MICROS = 5_000;

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
