import { useEffect, useMemo, useState } from "react";
import type { SessionDetail } from "../../serve/contract.ts";
import { isBad } from "../conversation/entry.ts";
import { useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";
import { Replay } from "./replay.tsx";
import type { VisibleRange } from "./squeezed-time.ts";
import { StepButtons } from "./step-buttons.tsx";
import type { Story } from "./story.ts";
import { TimelineCanvas } from "./timeline-canvas.tsx";
import { TimelineDetail } from "./timeline-detail.tsx";
import { toTimeline } from "./timeline-shape.ts";
import "./timeline.css";

const TICK_MS = 2_000;
const MIN_RANGE_MS = 500;

/** The session over time: calls, waits and outcomes, with playback. */
export function Timeline({
  story,
  detail,
  isLive,
  isComplete,
  onOpen,
}: {
  readonly story: Story;
  readonly detail: SessionDetail | null;
  readonly isLive: boolean;
  readonly isComplete: boolean;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  const [zoom, setZoom] = useState<VisibleRange | null>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [playAtMs, setPlayAtMs] = useState<number | null>(null);
  const nowMs = useTick(isLive);
  const shape = useMemo(() => toTimeline(story, detail, nowMs), [story, detail, nowMs]);
  const { lengthMs } = shape.time;
  const view = zoom ?? { from: 0, to: lengthMs };
  const { calls } = story;
  const errors = useMemo(() => calls.filter(isBad).length, [calls]);
  const selectedCall = calls.find(({ key }) => key === selected) ?? null;

  const zoomTo = (range: VisibleRange | null): void =>
    setZoom(range === null || range.to - range.from >= lengthMs ? null : clampRange(range, lengthMs));
  const zoomBy = (factor: number): void => {
    const center =
      selectedCall === null ? (view.from + view.to) / 2 : shape.time.toOffset(selectedCall.startMs);
    const halfWidth = ((view.to - view.from) * factor) / 2;
    zoomTo({ from: center - halfWidth, to: center + halfWidth });
  };
  const select = (key: string | null): void => {
    setSelected(key);
    const call = calls.find((candidate) => candidate.key === key);
    if (call === undefined || zoom === null) return;
    const offset = shape.time.toOffset(call.startMs);
    const halfWidth = (zoom.to - zoom.from) / 2;
    if (offset < zoom.from || offset > zoom.to) zoomTo({ from: offset - halfWidth, to: offset + halfWidth });
  };
  const moveSelection = (
    direction: 1 | -1,
    matches: (call: Story["calls"][number]) => boolean = () => true,
  ): void => {
    const current = calls.findIndex(({ key }) => key === selected);
    let index = current === -1 ? (direction > 0 ? 0 : calls.length - 1) : current + direction;
    while (index >= 0 && index < calls.length && !matches(calls[index]!)) index += direction;
    const call = calls[index];
    if (call !== undefined) select(call.key);
  };
  const movePrompt = (direction: 1 | -1): void => {
    const starts = story.entries.flatMap(({ type, atMs }) => (type === "prompt" ? [atMs] : []));
    const current =
      selectedCall === null ? -1 : starts.filter((atMs) => atMs <= selectedCall.startMs).length - 1;
    const start = starts[Math.max(0, current + direction)];
    const first = start === undefined ? undefined : calls.find(({ startMs }) => startMs >= start);
    if (first !== undefined) select(first.key);
  };
  const onKey = (key: string): boolean => {
    if (key === "ArrowRight") moveSelection(1);
    else if (key === "ArrowLeft") moveSelection(-1);
    else if (key === "Enter" && selected !== null) onOpen(selected);
    else return false;
    return true;
  };
  return (
    <div className="timeline" aria-busy={!isComplete}>
      <div className="transcript-bar">
        <StepButtons errors={errors} onPrompt={movePrompt} onError={() => moveSelection(1, isBad)} />
        <span className="zoom">
          <button type="button" className="button bare" data-key="+" onClick={() => zoomBy(0.5)}>
            <span className="sr-only">{session.zoomIn}</span>
            <KeyHint letter="+" />
          </button>
          <button type="button" className="button bare" data-key="-" onClick={() => zoomBy(2)}>
            <span className="sr-only">{session.zoomOut}</span>
            <KeyHint letter="-" />
          </button>
          <button
            type="button"
            className="button bare"
            data-key="0"
            disabled={zoom === null}
            onClick={() => setZoom(null)}
          >
            {session.zoomAll} <KeyHint letter="0" />
          </button>
        </span>
      </div>
      <TimelineCanvas
        shape={shape}
        view={view}
        selected={selected}
        playAtMs={playAtMs}
        folder={detail?.session.cwd ?? null}
        onSelect={setSelected}
        onZoom={zoomTo}
        onKey={onKey}
      />
      <Replay time={shape.time} atMs={playAtMs} onMove={setPlayAtMs} />
      <TimelineDetail
        story={story}
        selected={selectedCall}
        playAtMs={playAtMs}
        folder={detail?.session.cwd ?? null}
        onOpen={onOpen}
      />
    </div>
  );
}

function clampRange({ from, to }: VisibleRange, length: number): VisibleRange {
  const width = Math.min(length, Math.max(MIN_RANGE_MS, to - from));
  const start = Math.max(0, Math.min(length - width, from));
  return { from: start, to: start + width };
}

/** Running calls grow: the end moves while the session is live. */
function useTick(isLive: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => !document.hidden && setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isLive]);
  return nowMs;
}
