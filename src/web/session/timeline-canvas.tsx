import { useEffect, useMemo, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStore } from "../api/store.ts";
import { subjectOf, toolLabel } from "../conversation/call-subject.ts";
import type { Call } from "../conversation/entry.ts";
import { formatDuration, formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { theme } from "../shell/theme.ts";
import { drawTimeline, layOutLanes, ROW_PX } from "./draw-timeline.ts";
import { barAt } from "./lanes.ts";
import type { VisibleRange } from "./squeezed-time.ts";
import type { TimelineShape } from "./timeline-shape.ts";

const TOLERANCE_PX = 4;
const MIN_DRAG_PX = 6;

/** The lanes on a canvas. Dragging selects a time range, clicking selects a call. */
export function TimelineCanvas({
  shape,
  view,
  selected,
  playAtMs,
  folder,
  onSelect,
  onZoom,
  onKey,
}: {
  readonly shape: TimelineShape;
  readonly view: VisibleRange;
  readonly selected: string | null;
  readonly playAtMs: number | null;
  readonly folder: string | null;
  readonly onSelect: (key: string | null) => void;
  readonly onZoom: (view: VisibleRange | null) => void;
  /** Whether the timeline handled the key. */
  readonly onKey: (key: string) => boolean;
}) {
  const { session } = useStrings();
  const currentTheme = useStore(theme);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [brush, setBrush] = useState<readonly [number, number] | null>(null);
  const [hovered, setHovered] = useState<Call | null>(null);
  const { positions } = useMemo(() => layOutLanes(shape.lanes), [shape]);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (element == null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours change with the theme
  useEffect(() => {
    if (canvas.current !== null && width > 0)
      drawTimeline(canvas.current, { shape, view, width, selected, playAtMs, brush });
  }, [shape, view.from, view.to, width, selected, playAtMs, brush, currentTheme]);

  const perPixel = (view.to - view.from) / Math.max(1, width);
  const offsetAt = (px: number): number => view.from + px * perPixel;
  const callAt = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }): Call | null => {
    const position = positions.find(({ top, height }) => offsetY >= top && offsetY < top + height);
    if (position === undefined) return null;
    const { lane, top: laneTop } = position;
    const row = Math.max(0, Math.min(lane.rows - 1, Math.floor((offsetY - laneTop - 6) / ROW_PX)));
    const atMs = shape.time.fromOffset(offsetAt(offsetX));
    return barAt(lane.bars, atMs, row, perPixel * TOLERANCE_PX)?.call ?? null;
  };
  const finish = (event: PointerEvent): void => {
    if (brush !== null && Math.abs(brush[0] - brush[1]) > MIN_DRAG_PX)
      onZoom({ from: offsetAt(Math.min(...brush)), to: offsetAt(Math.max(...brush)) });
    else onSelect(callAt(event)?.key ?? null);
    setBrush(null);
  };
  return (
    <>
      <div className="lanes panel">
        <ul className="names" aria-label={session.lanes}>
          {positions.map(({ lane, top, height }) => {
            const name = lane.agent === null ? session.main : visibleText(lane.agent.label);
            return (
              <li key={lane.key} style={{ top, height }} className="cut" title={name}>
                {name}
              </li>
            );
          })}
        </ul>
        <div
          className="picture"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move between calls
          tabIndex={0}
          aria-label={session.timelineHelp}
          onKeyDown={(event) => onKey(event.key) && event.preventDefault()}
        >
          <canvas
            ref={canvas}
            className={hovered === null ? "" : "on-call"}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setBrush([event.nativeEvent.offsetX, event.nativeEvent.offsetX]);
            }}
            onPointerMove={({ nativeEvent }) => {
              if (brush !== null) setBrush([brush[0], nativeEvent.offsetX]);
              else setHovered(callAt(nativeEvent));
            }}
            onPointerUp={({ nativeEvent }) => finish(nativeEvent)}
            onPointerCancel={() => setBrush(null)}
            onPointerLeave={() => setHovered(null)}
            onDoubleClick={() => onZoom(null)}
          />
        </div>
      </div>
      <p className="hovered cut" aria-hidden="true">
        {hovered === null ? (
          <Legend />
        ) : (
          <>
            <span className="muted">{formatTime(new Date(hovered.startMs).toISOString())}</span>{" "}
            <strong>{visibleText(toolLabel(hovered.toolName))}</strong>{" "}
            <code>{visibleText(subjectOf(hovered, folder))}</code>{" "}
            <span className="muted">
              {session.status[hovered.status]}
              {hovered.endMs !== null && ` · ${formatDuration(hovered.endMs - hovered.startMs)}`}
            </span>
          </>
        )}
      </p>
    </>
  );
}

function Legend() {
  const { session } = useStrings();
  return (
    <span className="legend muted">
      {(["tool", "edit", "wrong", "wait", "compacted", "switched"] as const).map((key) => (
        <span key={key}>
          <span className={`swatch ${key}`} /> {session.legend[key]}
        </span>
      ))}
    </span>
  );
}
