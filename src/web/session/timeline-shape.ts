import type { SessionDetail } from "../../serve/contract.ts";
import type { MarkKind } from "../conversation/entry.ts";
import { type Lane, toLanes } from "./lanes.ts";
import { type SqueezedTime, squeezeTime } from "./squeezed-time.ts";
import type { Story } from "./story.ts";

/** Everything the timeline of a session draws. */
export interface TimelineShape {
  readonly lanes: readonly Lane[];
  readonly time: SqueezedTime;
  readonly turns: readonly {
    readonly fromMs: number;
    readonly toMs: number;
    readonly number: number | null;
  }[];
  readonly waits: readonly { readonly fromMs: number; readonly toMs: number; readonly text: string }[];
  readonly marks: readonly { readonly atMs: number; readonly kind: MarkKind; readonly text: string }[];
}

const MARKED_KINDS: ReadonlySet<MarkKind> = new Set([
  "compaction",
  "model",
  "interrupted",
  "lost",
  "started",
]);

export function toTimeline(story: Story, detail: SessionDetail | null, nowMs: number): TimelineShape {
  const toEndMs = (iso: string | null): number => (iso === null ? nowMs : Date.parse(iso));
  const lanes = toLanes(story.calls, story.subagents, nowMs);
  const turns = (detail?.turns ?? []).map(({ startedAtIso, endedAtIso, number }) => ({
    fromMs: Date.parse(startedAtIso),
    toMs: toEndMs(endedAtIso),
    number,
  }));
  const waits = (detail?.waits ?? []).map(({ startedAtIso, endedAtIso, text }) => ({
    fromMs: Date.parse(startedAtIso),
    toMs: toEndMs(endedAtIso),
    text,
  }));
  const marks = story.entries.flatMap((entry) =>
    entry.type === "mark" && MARKED_KINDS.has(entry.kind)
      ? [{ atMs: entry.atMs, kind: entry.kind, text: entry.text }]
      : [],
  );
  const busy = [
    ...story.entries.map(({ atMs }) => [atMs, atMs] as const),
    ...subtractWaits(
      story.calls.map(({ startMs, endMs }) => [startMs, endMs ?? nowMs] as const),
      waits.map(({ fromMs, toMs }) => [fromMs, toMs] as const),
    ),
    ...waits.flatMap(({ fromMs, toMs }) => [[fromMs, fromMs] as const, [toMs, toMs] as const]),
  ];
  return { lanes, time: squeezeTime(busy), turns, waits, marks };
}

type Span = readonly [number, number];

/** The parts of spans outside the waits, in which nothing happens. */
export function subtractWaits(spans: readonly Span[], waits: readonly Span[]): Span[] {
  const sortedWaits = [...waits].sort((a, b) => a[0] - b[0]);
  // Running maximum of the ends, to binary-search the first wait that can overlap a span.
  let latest = Number.NEGATIVE_INFINITY;
  const latestEnds = sortedWaits.map(([, to]) => {
    latest = Math.max(latest, to);
    return latest;
  });
  return spans.flatMap(([from, to]) => {
    const parts: Span[] = [];
    let [position, index] = [from, firstAbove(latestEnds, from)];
    for (; index < sortedWaits.length && sortedWaits[index]![0] < to; index++) {
      const [start, end] = sortedWaits[index]!;
      if (end <= position) continue;
      parts.push([position, Math.max(position, start)]);
      position = Math.min(to, end);
    }
    return [...parts, [position, to]];
  });
}

/** The index of the first value above a limit, in ascending values. */
function firstAbove(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (ascending[mid]! > value) high = mid;
    else low = mid + 1;
  }
  return low;
}
