const DAY_MS = 24 * 3_600_000;
const MAX_PARTS = 120;
/** Sorts after every recorded ISO timestamp. */
const FAR_FUTURE = "9999";

/** Consecutive time ranges, one day each unless that would be too many; the last has no end. */
export function* splitTimeRange(
  firstIso: string,
  nowIso: string,
): Iterable<readonly [from: string, to: string]> {
  const [firstMs, nowMs] = [Date.parse(firstIso), Date.parse(nowIso)];
  const stepMs = Math.max(DAY_MS, (nowMs - firstMs) / MAX_PARTS);
  let from = firstIso;
  for (let toMs = firstMs + stepMs; toMs < nowMs; toMs += stepMs) {
    const to = new Date(toMs).toISOString();
    yield [from, to];
    from = to;
  }
  yield [from, FAR_FUTURE];
}
