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
const SHORTEST = 500;

/** The session over time: who did what when, who waited, and the outcome; with playback. */
export function Timeline({
  story,
  detail,
  isLive,
  isWhole,
  onOpen,
}: {
  readonly story: Story;
  readonly detail: SessionDetail | null;
  readonly isLive: boolean;
  readonly isWhole: boolean;
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
  const chosen = calls.find(({ key }) => key === selected) ?? null;

  const zoomTo = (wanted: VisibleRange | null): void =>
    setZoom(wanted === null || wanted.to - wanted.from >= lengthMs ? null : within(wanted, lengthMs));
  const zoomBy = (factor: number): void => {
    const middle = chosen === null ? (view.from + view.to) / 2 : shape.time.toOffset(chosen.startMs);
    const half = ((view.to - view.from) * factor) / 2;
    zoomTo({ from: middle - half, to: middle + half });
  };
  const select = (key: string | null): void => {
    setSelected(key);
    const call = calls.find((one) => one.key === key);
    if (call === undefined || zoom === null) return;
    const at = shape.time.toOffset(call.startMs);
    const half = (zoom.to - zoom.from) / 2;
    if (at < zoom.from || at > zoom.to) zoomTo({ from: at - half, to: at + half });
  };
  const move = (by: 1 | -1, isWanted: (call: Story["calls"][number]) => boolean = () => true): void => {
    const here = calls.findIndex(({ key }) => key === selected);
    let index = here === -1 ? (by > 0 ? 0 : calls.length - 1) : here + by;
    while (index >= 0 && index < calls.length && !isWanted(calls[index]!)) index += by;
    const call = calls[index];
    if (call !== undefined) select(call.key);
  };
  const toPrompt = (by: 1 | -1): void => {
    const starts = story.entries.flatMap(({ type, atMs }) => (type === "prompt" ? [atMs] : []));
    const here = chosen === null ? -1 : starts.filter((atMs) => atMs <= chosen.startMs).length - 1;
    const start = starts[Math.max(0, here + by)];
    const first = start === undefined ? undefined : calls.find(({ startMs }) => startMs >= start);
    if (first !== undefined) select(first.key);
  };
  const onKey = (key: string): boolean => {
    if (key === "ArrowRight") move(1);
    else if (key === "ArrowLeft") move(-1);
    else if (key === "Enter" && selected !== null) onOpen(selected);
    else return false;
    return true;
  };
  return (
    <div className="timeline" aria-busy={!isWhole}>
      <div className="transcript-bar">
        <StepButtons errors={errors} onPrompt={toPrompt} onError={() => move(1, isBad)} />
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
        chosen={chosen}
        playAtMs={playAtMs}
        folder={detail?.session.cwd ?? null}
        onOpen={onOpen}
      />
    </div>
  );
}

function within({ from, to }: VisibleRange, length: number): VisibleRange {
  const wide = Math.min(length, Math.max(SHORTEST, to - from));
  const start = Math.max(0, Math.min(length - wide, from));
  return { from: start, to: start + wide };
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
