export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest: of few values no quantile is a lucky one. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Each value with the one measured beside it in the same round. */
export function paired(
  values: readonly number[],
  beside: readonly number[],
  compare: (value: number, other: number) => number,
): number[] {
  return values.map((value, index) => compare(value, beside[index]!));
}
