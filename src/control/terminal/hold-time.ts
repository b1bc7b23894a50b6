import type { HoldDetails } from "./holds.ts";

/** A hook's timeout counts from its own start, which a busy machine may report late. */
export const LEEWAY_MS = 2_000;
/** A background agent's terminal shows no dialog while its request is held. */
const MAX_BACKGROUND_HOLD_MS = 15_000;

/** How long a request is held, counted from its arrival. */
export function holdTimeMs(
  { waitMs }: Pick<HoldDetails, "waitMs">,
  maxMs: number,
  isBackground: boolean,
): number {
  const hookMs = Math.max(0, (waitMs ?? Number.POSITIVE_INFINITY) - LEEWAY_MS);
  return Math.min(maxMs, hookMs, isBackground ? MAX_BACKGROUND_HOLD_MS : Number.POSITIVE_INFINITY);
}
