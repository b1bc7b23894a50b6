const MAX_STEPS = 4;

/** At most five round values from 0 to at least `max`. */
export function axisTicks(max: number): number[] {
  const rough = max / MAX_STEPS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((candidate) => candidate >= rough * 0.999_999)!;
  const count = Math.ceil((max / step) * 0.999_999);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Dollars with just enough digits to tell two ticks apart. */
export function dollarTick(micros: number, stepMicros: number): string {
  const digits = [2, 3, 4, 5, 6].find(
    (count) => (stepMicros / 1e6) * 10 ** count >= 1 - 1e-9 && isExact(count),
  );
  return `$${(micros / 1e6).toFixed(digits ?? 6)}`;

  function isExact(count: number): boolean {
    const scaled = (stepMicros / 1e6) * 10 ** count;
    return Math.abs(scaled - Math.round(scaled)) < 1e-6;
  }
}

/** The label interval that leaves at most `labels` of `count` marks labelled. */
export function labelEvery(count: number, labels: number): number {
  return [1, 2, 5, 10, 20, 50, 100].find((every) => count / every <= labels) ?? 200;
}
