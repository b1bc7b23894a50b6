export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Interpolates linearly, so that a quantile of few values does not hinge on a single one. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Compares each value with the one measured alongside it in the same round. */
export function paired(
  values: readonly number[],
  beside: readonly number[],
  compare: (value: number, baseline: number) => number,
): number[] {
  return values.map((value, index) => compare(value, beside[index]!));
}
