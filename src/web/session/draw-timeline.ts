import { visibleText } from "../../shown/visible-text.ts";
import { isEdit } from "../conversation/call-hunks.ts";
import { isBad } from "../conversation/entry.ts";
import { drawAxis } from "./draw-axis.ts";
import { drawHatching, drawLine, drawText, type Ink } from "./draw-primitives.ts";
import type { Bar, Lane } from "./lanes.ts";
import type { VisibleRange } from "./squeezed-time.ts";
import type { TimelineShape } from "./timeline-shape.ts";

const AXIS_PX = 36;
export const ROW_PX = 18;
const LANE_PAD = 8;
const MIN_BAR_PX = 3;
const MIN_LABEL_PX = 48;

export interface LanePosition {
  readonly lane: Lane;
  readonly top: number;
  readonly height: number;
}

export function layOutLanes(lanes: readonly Lane[]): { places: LanePosition[]; height: number } {
  let top = AXIS_PX;
  const places = lanes.map((lane) => {
    const place = { lane, top, height: lane.rows * ROW_PX + LANE_PAD * 2 };
    top += place.height;
    return place;
  });
  return { places, height: top + 2 };
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
  const { places, height } = layOutLanes(shape.lanes);
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.scale(ratio, ratio);
  const styles = getComputedStyle(canvas);
  const ink: Ink = (name) => styles.getPropertyValue(name).trim();
  const scale = width / Math.max(1, view.to - view.from);
  const x = (ms: number): number => (shape.time.toOffset(ms) - view.from) * scale;

  pen.clearRect(0, 0, width, height);
  for (const [index, { fromMs, toMs, number }] of shape.turns.entries()) {
    const [from, to] = [x(fromMs), x(toMs)];
    if (to < 0 || from > width) continue;
    pen.fillStyle = ink(index % 2 === 0 ? "--sunk" : "--paper");
    pen.fillRect(from, AXIS_PX, Math.max(1, to - from), height - AXIS_PX);
    if (to - from > 24 && number !== null)
      drawText(pen, ink, String(number), Math.max(4, from + 4), AXIS_PX - 5, "--text-2", 600);
  }
  drawAxis(pen, ink, { time: shape.time, view, width }, x);
  for (const { lane, top, height: tall } of places) {
    pen.strokeStyle = ink("--line");
    drawLine(pen, 0, top + 0.5, width, top + 0.5);
    if (lane.agent !== null) {
      const [from, to] = [x(lane.agent.startMs), x(lane.agent.endMs ?? shape.time.toMs)];
      pen.fillStyle = ink("--line");
      pen.fillRect(from, top + tall / 2 - 0.5, Math.max(1, to - from), 1);
    }
    drawBars(pen, ink, drawing, lane.bars, top + LANE_PAD, x);
  }
  for (const { fromMs, toMs } of shape.waits)
    drawHatching(pen, ink, x(fromMs), x(toMs), places[0]!.top, places[0]!.height);
  for (const { fromMs, toMs } of shape.time.gaps) {
    const middle = (x(fromMs) + x(toMs)) / 2;
    pen.strokeStyle = ink("--line-strong");
    pen.setLineDash([2, 3]);
    drawLine(pen, middle, AXIS_PX, middle, height);
    pen.setLineDash([]);
  }
  for (const { atMs, kind } of shape.marks) {
    if (kind === "started") continue;
    const at = x(atMs);
    const name = kind === "compaction" ? "--limit" : kind === "model" ? "--accent" : "--bad";
    pen.strokeStyle = ink(name);
    drawLine(pen, at, AXIS_PX - 6, at, height);
    pen.fillStyle = ink(name);
    pen.beginPath();
    pen.moveTo(at - 4, AXIS_PX - 8);
    pen.lineTo(at + 4, AXIS_PX - 8);
    pen.lineTo(at, AXIS_PX - 1);
    pen.fill();
  }
  if (drawing.playAtMs !== null) {
    const at = x(drawing.playAtMs);
    pen.globalAlpha = 0.72;
    pen.fillStyle = ink("--surface");
    pen.fillRect(at, AXIS_PX, width - at, height);
    pen.globalAlpha = 1;
    pen.strokeStyle = ink("--accent");
    pen.lineWidth = 2;
    drawLine(pen, at, 0, at, height);
    pen.lineWidth = 1;
  }
  if (drawing.brush !== null) {
    const [from, to] = drawing.brush;
    pen.globalAlpha = 0.16;
    pen.fillStyle = ink("--accent");
    pen.fillRect(Math.min(from, to), 0, Math.abs(to - from), height);
    pen.globalAlpha = 1;
  }
}

function drawBars(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  { width, selected }: Drawing,
  bars: readonly Bar[],
  top: number,
  x: (ms: number) => number,
): void {
  const inks = { ok: ink("--chart-2"), edit: ink("--chart-1"), bad: ink("--bad"), open: ink("--busy") };
  /** By row: the pixel up to which it is already painted. */
  const painted: number[] = [];
  const wrong: [number, number, number][] = [];
  let chosen: [number, number, number] | null = null;
  const paint = (from: number, to: number, y: number): void => {
    const [left, right] = [Math.max(0, from), Math.min(width, to)];
    // Leaves a gap between neighbours if there is room.
    pen.fillRect(left, y + 1, right - left - (right - left > 4 ? 1 : 0), ROW_PX - 3);
  };
  for (const { call, fromMs, toMs, row } of bars) {
    const from = x(fromMs);
    const to = Math.max(from + MIN_BAR_PX, x(toMs));
    if (to < 0) continue;
    if (from > width) break;
    const y = top + row * ROW_PX;
    if (call.key === selected) chosen = [from, to, y];
    if (isBad(call)) wrong.push([from, to, y]);
    if (to <= (painted[row] ?? -1)) continue;
    painted[row] = to;
    pen.fillStyle = call.status === "running" ? inks.open : isEdit(call.kind) ? inks.edit : inks.ok;
    paint(from, to, y);
    if (to - from > MIN_LABEL_PX && !isBad(call)) label(pen, ink, call.toolName, Math.max(0, from), to, y);
  }
  // Failures must be visible in any crowd.
  pen.fillStyle = inks.bad;
  for (const bar of wrong) paint(...bar);
  if (chosen === null) return;
  pen.strokeStyle = ink("--text");
  pen.lineWidth = 2;
  pen.strokeRect(chosen[0] - 2, chosen[2] - 1, chosen[1] - chosen[0] + 4, ROW_PX + 1);
  pen.lineWidth = 1;
}

function label(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  text: string,
  left: number,
  right: number,
  y: number,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(left, y, right - left - 4, ROW_PX);
  pen.clip();
  drawText(pen, ink, visibleText(text), left + 4, y + 11, "--on-accent", 560);
  pen.restore();
}
