import { visibleText } from "../../shown/visible-text.ts";
import { isEdit } from "./call-hunks.ts";
import { drawAxis } from "./draw-axis.ts";
import { hatch, type Ink, line, write } from "./draw-marks.ts";
import type { Bar, Lane } from "./lanes.ts";
import { isBad } from "./pair-calls.ts";
import type { View } from "./squeezed-time.ts";
import type { TimelineShape } from "./timeline-shape.ts";

const AXIS = 36;
export const ROW = 18;
const LANE_PAD = 8;
const SMALLEST = 3;
const LABEL = 48;

export interface LanePlace {
  readonly lane: Lane;
  readonly top: number;
  readonly height: number;
}

export function placeLanes(lanes: readonly Lane[]): { places: LanePlace[]; height: number } {
  let top = AXIS;
  const places = lanes.map((lane) => {
    const place = { lane, top, height: lane.rows * ROW + LANE_PAD * 2 };
    top += place.height;
    return place;
  });
  return { places, height: top + 2 };
}

export interface Drawing {
  readonly shape: TimelineShape;
  readonly view: View;
  readonly width: number;
  readonly selected: string | null;
  readonly playAtMs: number | null;
  readonly brush: readonly [number, number] | null;
}

/** Paints the whole picture; what is narrower than a pixel is painted once per pixel. */
export function drawTimeline(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { shape, view, width } = drawing;
  const { places, height } = placeLanes(shape.lanes);
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
  const x = (ms: number): number => (shape.time.toPlace(ms) - view.from) * scale;

  pen.clearRect(0, 0, width, height);
  for (const [index, { fromMs, toMs, number }] of shape.turns.entries()) {
    const [from, to] = [x(fromMs), x(toMs)];
    if (to < 0 || from > width) continue;
    pen.fillStyle = ink(index % 2 === 0 ? "--sunk" : "--paper");
    pen.fillRect(from, AXIS, Math.max(1, to - from), height - AXIS);
    if (to - from > 24 && number !== null)
      write(pen, ink, String(number), Math.max(4, from + 4), AXIS - 5, "--text-2", 600);
  }
  drawAxis(pen, ink, { time: shape.time, view, width }, x);
  for (const { lane, top, height: tall } of places) {
    pen.strokeStyle = ink("--line");
    line(pen, 0, top + 0.5, width, top + 0.5);
    if (lane.agent !== null) {
      const [from, to] = [x(lane.agent.startMs), x(lane.agent.endMs ?? shape.time.toMs)];
      pen.fillStyle = ink("--line");
      pen.fillRect(from, top + tall / 2 - 0.5, Math.max(1, to - from), 1);
    }
    drawBars(pen, ink, drawing, lane.bars, top + LANE_PAD, x);
  }
  for (const { fromMs, toMs } of shape.waits)
    hatch(pen, ink, x(fromMs), x(toMs), places[0]!.top, places[0]!.height);
  for (const { fromMs, toMs } of shape.time.gaps) {
    const middle = (x(fromMs) + x(toMs)) / 2;
    pen.strokeStyle = ink("--line-strong");
    pen.setLineDash([2, 3]);
    line(pen, middle, AXIS, middle, height);
    pen.setLineDash([]);
  }
  for (const { atMs, kind } of shape.marks) {
    if (kind === "started") continue;
    const at = x(atMs);
    const name = kind === "compaction" ? "--limit" : kind === "model" ? "--accent" : "--bad";
    pen.strokeStyle = ink(name);
    line(pen, at, AXIS - 6, at, height);
    pen.fillStyle = ink(name);
    pen.beginPath();
    pen.moveTo(at - 4, AXIS - 8);
    pen.lineTo(at + 4, AXIS - 8);
    pen.lineTo(at, AXIS - 1);
    pen.fill();
  }
  if (drawing.playAtMs !== null) {
    const at = x(drawing.playAtMs);
    pen.globalAlpha = 0.72;
    pen.fillStyle = ink("--surface");
    pen.fillRect(at, AXIS, width - at, height);
    pen.globalAlpha = 1;
    pen.strokeStyle = ink("--accent");
    pen.lineWidth = 2;
    line(pen, at, 0, at, height);
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
  /** By row: up to which pixel something is painted already. */
  const painted: number[] = [];
  const wrong: [number, number, number][] = [];
  let chosen: [number, number, number] | null = null;
  const paint = (from: number, to: number, y: number): void => {
    const [left, right] = [Math.max(0, from), Math.min(width, to)];
    // Neighbours stay apart where there is room.
    pen.fillRect(left, y + 1, right - left - (right - left > 4 ? 1 : 0), ROW - 3);
  };
  for (const { call, fromMs, toMs, row } of bars) {
    const from = x(fromMs);
    const to = Math.max(from + SMALLEST, x(toMs));
    if (to < 0) continue;
    if (from > width) break;
    const y = top + row * ROW;
    if (call.key === selected) chosen = [from, to, y];
    if (isBad(call)) wrong.push([from, to, y]);
    if (to <= (painted[row] ?? -1)) continue;
    painted[row] = to;
    pen.fillStyle = call.status === "running" ? inks.open : isEdit(call.kind) ? inks.edit : inks.ok;
    paint(from, to, y);
    if (to - from > LABEL && !isBad(call)) label(pen, ink, call.toolName, Math.max(0, from), to, y);
  }
  // What went wrong is seen in any crowd.
  pen.fillStyle = inks.bad;
  for (const bar of wrong) paint(...bar);
  if (chosen === null) return;
  pen.strokeStyle = ink("--text");
  pen.lineWidth = 2;
  pen.strokeRect(chosen[0] - 2, chosen[2] - 1, chosen[1] - chosen[0] + 4, ROW + 1);
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
  pen.rect(left, y, right - left - 4, ROW);
  pen.clip();
  write(pen, ink, visibleText(text), left + 4, y + 11, "--on-accent", 560);
  pen.restore();
}
