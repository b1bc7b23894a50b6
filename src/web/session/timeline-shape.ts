import type { SessionDetail } from "../../serve/contract.ts";
import { type Lane, toLanes } from "./lanes.ts";
import { type SqueezedTime, squeezeTime } from "./squeezed-time.ts";
import type { MarkKind, Story } from "./story.ts";

/** All that is drawn of a session over time. */
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

const MARKED: ReadonlySet<MarkKind> = new Set(["compaction", "model", "interrupted", "lost", "started"]);

export function toTimeline(story: Story, detail: SessionDetail | null, nowMs: number): TimelineShape {
  const end = (iso: string | null): number => (iso === null ? nowMs : Date.parse(iso));
  const lanes = toLanes(story.calls, story.agents, nowMs);
  const turns = (detail?.turns ?? []).map(({ startedAtIso, endedAtIso, number }) => ({
    fromMs: Date.parse(startedAtIso),
    toMs: end(endedAtIso),
    number,
  }));
  const waits = (detail?.waits ?? []).map(({ startedAtIso, endedAtIso, text }) => ({
    fromMs: Date.parse(startedAtIso),
    toMs: end(endedAtIso),
    text,
  }));
  const marks = story.entries.flatMap((entry) =>
    entry.type === "mark" && MARKED.has(entry.kind)
      ? [{ atMs: entry.atMs, kind: entry.kind, text: entry.text }]
      : [],
  );
  const busy = [
    ...story.entries.map(({ atMs }) => [atMs, atMs] as const),
    ...story.calls.flatMap(({ startMs, endMs }) => without([startMs, endMs ?? nowMs], waits)),
    ...waits.flatMap(({ fromMs, toMs }) => [[fromMs, fromMs] as const, [toMs, toMs] as const]),
  ];
  return { lanes, time: squeezeTime(busy), turns, waits, marks };
}

type Span = readonly [number, number];

/** What is left of a span outside the waits: while a person is missing, nothing goes on in it. */
function without(span: Span, waits: TimelineShape["waits"]): Span[] {
  let left: Span[] = [span];
  for (const { fromMs, toMs } of waits)
    left = left.flatMap(([from, to]): Span[] =>
      toMs <= from || fromMs >= to
        ? [[from, to]]
        : [
            [from, Math.max(from, fromMs)],
            [Math.min(to, toMs), to],
          ],
    );
  return left;
}
