/** Time as drawn: long gaps are squeezed, to leave room for what happened. */
export interface SqueezedTime {
  readonly fromMs: number;
  readonly toMs: number;
  /** The length as drawn. */
  readonly lengthMs: number;
  readonly gaps: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Maps a time to its offset, 0 to `lengthMs`. */
  toOffset(ms: number): number;
  fromOffset(place: number): number;
}

/** The visible part of the time, as offsets in squeezed time. */
export interface VisibleRange {
  readonly from: number;
  readonly to: number;
}

const QUIET_MS = 90_000;
const GAP_SHARE = 0.04;
const ALL_GAPS_SHARE = 0.5;

/** `busy`: spans in which something happened, in any order. */
export function squeezeTime(busy: readonly (readonly [number, number])[]): SqueezedTime {
  const spans = merge(busy);
  const fromMs = spans[0]?.[0] ?? 0;
  const toMs = spans.at(-1)?.[1] ?? fromMs + 1;
  const activeMs = spans.reduce((sum, [from, to]) => sum + (to - from), 0);
  const share = Math.min(GAP_SHARE, ALL_GAPS_SHARE / Math.max(1, spans.length - 1));
  const gapMs = Math.max(500, Math.min(QUIET_MS, activeMs * share));
  // Each span with its start offset.
  const places: { from: number; to: number; at: number }[] = [];
  let at = 0;
  for (const [index, [from, to]] of spans.entries()) {
    if (index > 0) at += gapMs;
    places.push({ from, to, at });
    at += to - from;
  }
  const lengthMs = Math.max(1, at);
  const find = (isBefore: (place: { from: number; at: number }) => boolean): number => {
    let [low, high] = [0, places.length - 1];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (isBefore(places[mid]!)) low = mid;
      else high = mid - 1;
    }
    return low;
  };
  return {
    fromMs,
    toMs: Math.max(toMs, fromMs + 1),
    lengthMs,
    gaps: places.slice(1).map(({ from }, index) => ({ fromMs: places[index]!.to, toMs: from })),
    toOffset(ms) {
      if (places.length === 0) return 0;
      const index = find(({ from }) => from <= ms);
      const { from, to, at: start } = places[index]!;
      if (ms <= to) return start + Math.max(0, ms - from);
      const next = places[index + 1];
      if (next === undefined) return lengthMs;
      return start + (to - from) + gapMs * ((ms - to) / (next.from - to));
    },
    fromOffset(place) {
      if (places.length === 0) return fromMs;
      const index = find(({ at: start }) => start <= place);
      const { from, to, at: start } = places[index]!;
      const into = place - start;
      if (into <= to - from) return from + Math.max(0, into);
      const next = places[index + 1];
      if (next === undefined) return to;
      return to + (next.from - to) * Math.min(1, (into - (to - from)) / gapMs);
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
