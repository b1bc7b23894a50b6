import { visibleText } from "../../shown/visible-text.ts";
import { isEdit } from "../conversation/call-hunks.ts";
import { isBad } from "../conversation/entry.ts";
import { drawAxis } from "./draw-axis.ts";
import { drawHatching, drawLine, drawText, type StyleLookup } from "./draw-primitives.ts";
import type { Bar, Lane } from "./lanes.ts";
import type { VisibleRange } from "./squeezed-time.ts";
import type { TimelineShape } from "./timeline-shape.ts";

const AXIS_PX = 36;
export const ROW_PX = 18;
const LANE_PADDING_PX = 8;
const MIN_BAR_PX = 3;
const MIN_LABEL_PX = 48;

export interface LanePosition {
  readonly lane: Lane;
  readonly top: number;
  readonly height: number;
}

export function layOutLanes(lanes: readonly Lane[]): { positions: LanePosition[]; height: number } {
  let top = AXIS_PX;
  const positions = lanes.map((lane) => {
    const position = { lane, top, height: lane.rows * ROW_PX + LANE_PADDING_PX * 2 };
    top += position.height;
    return position;
  });
  return { positions, height: top + 2 };
}

export interface Drawing {
  readonly shape: TimelineShape;
  readonly view: VisibleRange;
  readonly width: number;
  readonly selected: string | null;
  readonly playAtMs: number | null;
  readonly brush: readonly [number, number] | null;
}

/** Paints the whole timeline; anything narrower than a pixel is painted once per pixel. */
export function drawTimeline(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { shape, view, width } = drawing;
  const { positions, height } = layOutLanes(shape.lanes);
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const styles = getComputedStyle(canvas);
  const style: StyleLookup = (name) => styles.getPropertyValue(name).trim();
  const scale = width / Math.max(1, view.to - view.from);
  const x = (ms: number): number => (shape.time.toOffset(ms) - view.from) * scale;

  context.clearRect(0, 0, width, height);
  for (const [index, { fromMs, toMs, number }] of shape.turns.entries()) {
    const [from, to] = [x(fromMs), x(toMs)];
    if (to < 0 || from > width) continue;
    context.fillStyle = style(index % 2 === 0 ? "--sunk" : "--paper");
    context.fillRect(from, AXIS_PX, Math.max(1, to - from), height - AXIS_PX);
    if (to - from > 24 && number !== null)
      drawText(context, style, String(number), Math.max(4, from + 4), AXIS_PX - 5, "--text-2", 600);
  }
  drawAxis(context, style, { time: shape.time, view, width }, x);
  for (const { lane, top, height: laneHeight } of positions) {
    context.strokeStyle = style("--line");
    drawLine(context, 0, top + 0.5, width, top + 0.5);
    if (lane.agent !== null) {
      const [from, to] = [x(lane.agent.startMs), x(lane.agent.endMs ?? shape.time.toMs)];
      context.fillStyle = style("--line");
      context.fillRect(from, top + laneHeight / 2 - 0.5, Math.max(1, to - from), 1);
    }
    drawBars(context, style, drawing, lane.bars, top + LANE_PADDING_PX, x);
  }
  for (const { fromMs, toMs } of shape.waits)
    drawHatching(context, style, x(fromMs), x(toMs), positions[0]!.top, positions[0]!.height);
  for (const { fromMs, toMs } of shape.time.gaps) {
    const middleX = (x(fromMs) + x(toMs)) / 2;
    context.strokeStyle = style("--line-strong");
    context.setLineDash([2, 3]);
    drawLine(context, middleX, AXIS_PX, middleX, height);
    context.setLineDash([]);
  }
  for (const { atMs, kind } of shape.marks) {
    if (kind === "started") continue;
    const markX = x(atMs);
    const color = kind === "compaction" ? "--limit" : kind === "model" ? "--accent" : "--bad";
    context.strokeStyle = style(color);
    drawLine(context, markX, AXIS_PX - 6, markX, height);
    context.fillStyle = style(color);
    context.beginPath();
    context.moveTo(markX - 4, AXIS_PX - 8);
    context.lineTo(markX + 4, AXIS_PX - 8);
    context.lineTo(markX, AXIS_PX - 1);
    context.fill();
  }
  if (drawing.playAtMs !== null) {
    const playX = x(drawing.playAtMs);
    context.globalAlpha = 0.72;
    context.fillStyle = style("--surface");
    context.fillRect(playX, AXIS_PX, width - playX, height);
    context.globalAlpha = 1;
    context.strokeStyle = style("--accent");
    context.lineWidth = 2;
    drawLine(context, playX, 0, playX, height);
    context.lineWidth = 1;
  }
  if (drawing.brush !== null) {
    const [from, to] = drawing.brush;
    context.globalAlpha = 0.16;
    context.fillStyle = style("--accent");
    context.fillRect(Math.min(from, to), 0, Math.abs(to - from), height);
    context.globalAlpha = 1;
  }
}

function drawBars(
  context: CanvasRenderingContext2D,
  style: StyleLookup,
  { width, selected }: Drawing,
  bars: readonly Bar[],
  top: number,
  x: (ms: number) => number,
): void {
  const colors = {
    ok: style("--chart-2"),
    edit: style("--chart-1"),
    bad: style("--bad"),
    open: style("--busy"),
  };
  /** By row: the x up to which it is already painted. */
  const painted: number[] = [];
  const failures: [number, number, number][] = [];
  let selection: [number, number, number] | null = null;
  const fillBar = (from: number, to: number, y: number): void => {
    const [left, right] = [Math.max(0, from), Math.min(width, to)];
    // Leaves a gap between neighbours if there is room.
    context.fillRect(left, y + 1, right - left - (right - left > 4 ? 1 : 0), ROW_PX - 3);
  };
  for (const { call, fromMs, toMs, row } of bars) {
    const from = x(fromMs);
    const to = Math.max(from + MIN_BAR_PX, x(toMs));
    if (to < 0) continue;
    if (from > width) break;
    const y = top + row * ROW_PX;
    if (call.key === selected) selection = [from, to, y];
    if (isBad(call)) failures.push([from, to, y]);
    if (to <= (painted[row] ?? -1)) continue;
    painted[row] = to;
    context.fillStyle = call.status === "running" ? colors.open : isEdit(call.kind) ? colors.edit : colors.ok;
    fillBar(from, to, y);
    if (to - from > MIN_LABEL_PX && !isBad(call))
      drawBarLabel(context, style, call.toolName, Math.max(0, from), to, y);
  }
  // Failures are painted last, so they stay visible among many calls.
  context.fillStyle = colors.bad;
  for (const bar of failures) fillBar(...bar);
  if (selection === null) return;
  context.strokeStyle = style("--text");
  context.lineWidth = 2;
  context.strokeRect(selection[0] - 2, selection[2] - 1, selection[1] - selection[0] + 4, ROW_PX + 1);
  context.lineWidth = 1;
}

function drawBarLabel(
  context: CanvasRenderingContext2D,
  style: StyleLookup,
  text: string,
  left: number,
  right: number,
  y: number,
): void {
  context.save();
  context.beginPath();
  context.rect(left, y, right - left - 4, ROW_PX);
  context.clip();
  drawText(context, style, visibleText(text), left + 4, y + 11, "--on-accent", 560);
  context.restore();
}
