/** A time scale in which long gaps are squeezed to leave room for activity. */
export interface SqueezedTime {
  readonly fromMs: number;
  readonly toMs: number;
  /** The length as drawn. */
  readonly lengthMs: number;
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Maps a time to its offset, 0 to `lengthMs`. */
  toOffset(ms: number): number;
  fromOffset(offset: number): number;
}

/** The visible part of the time, as offsets in squeezed time. */
export interface VisibleRange {
  readonly from: number;
  readonly to: number;
}

const QUIET_MS = 90_000;
const MAX_GAP_RATIO = 0.04;
const MAX_GAPS_RATIO = 0.5;

/** `busy`: spans in which something happened, in any order. */
export function squeezeTime(busy: readonly (readonly [number, number])[]): SqueezedTime {
  const spans = merge(busy);
  const fromMs = spans[0]?.[0] ?? 0;
  const toMs = spans.at(-1)?.[1] ?? fromMs + 1;
  const activeMs = spans.reduce((sum, [from, to]) => sum + (to - from), 0);
  const ratio = Math.min(MAX_GAP_RATIO, MAX_GAPS_RATIO / Math.max(1, spans.length - 1));
  const gapMs = Math.max(500, Math.min(QUIET_MS, activeMs * ratio));
  // Each span with its start offset.
  const placed: { from: number; to: number; offset: number }[] = [];
  let offset = 0;
  for (const [index, [from, to]] of spans.entries()) {
    if (index > 0) offset += gapMs;
    placed.push({ from, to, offset });
    offset += to - from;
  }
  const lengthMs = Math.max(1, offset);
  const findSpan = (isBefore: (span: { from: number; offset: number }) => boolean): number => {
    let [low, high] = [0, placed.length - 1];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (isBefore(placed[mid]!)) low = mid;
      else high = mid - 1;
    }
    return low;
  };
  return {
    fromMs,
    toMs: Math.max(toMs, fromMs + 1),
    lengthMs,
    gaps: placed.slice(1).map(({ from }, index) => ({ fromMs: placed[index]!.to, toMs: from })),
    toOffset(ms) {
      if (placed.length === 0) return 0;
      const index = findSpan(({ from }) => from <= ms);
      const { from, to, offset: start } = placed[index]!;
      if (ms <= to) return start + Math.max(0, ms - from);
      const next = placed[index + 1];
      if (next === undefined) return lengthMs;
      return start + (to - from) + gapMs * ((ms - to) / (next.from - to));
    },
    fromOffset(offset) {
      if (placed.length === 0) return fromMs;
      const index = findSpan(({ offset: start }) => start <= offset);
      const { from, to, offset: start } = placed[index]!;
      const elapsed = offset - start;
      if (elapsed <= to - from) return from + Math.max(0, elapsed);
      const next = placed[index + 1];
      if (next === undefined) return to;
      return to + (next.from - to) * Math.min(1, (elapsed - (to - from)) / gapMs);
    },
  };
}

/** Merges spans with less than a long gap between them. */
function merge(busy: readonly (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = [];
  for (const [from, to] of [...busy].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from - last[1] <= QUIET_MS) last[1] = Math.max(last[1], to);
    else merged.push([from, Math.max(from, to)]);
  }
  return merged;
}
