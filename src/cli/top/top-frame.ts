import { cutTo, displayWidth } from "../display-width.ts";
import type { Paint } from "../paint.ts";
import { toAscii } from "./ascii.ts";
import { cardOf, type TopData } from "./top-data.ts";
import { sourceLine, topLine } from "./top-head.ts";
import { HELP } from "./top-help.ts";
import { paneLines } from "./top-pane.ts";
import { agentRows, headLine, type RowOptions, sessionRow } from "./top-row.ts";
import { rowsOf, selectedOf, type TopView } from "./top-view.ts";

export interface FrameOptions {
  readonly width: number;
  /** How many lines there are; none are left out with null. */
  readonly height: number | null;
  readonly now: number;
  readonly paint: Paint;
  readonly ascii: boolean;
}

const NARROWEST = 80;
const MOST_PANE = 12;
const KEYS = " j/k move  ↵ open  n next  t terminal  / filter  s sort  ? help  q quit";

/** Everything that is on the screen, line by line. Pure. */
export function topFrame(data: TopData, view: TopView, options: FrameOptions): string[] {
  const width = Math.max(NARROWEST, options.width);
  const lines = draw(data, view, { ...options, width });
  const shown = options.height === null ? lines : lines.slice(0, options.height);
  return options.ascii ? shown.map(toAscii) : shown;
}

function draw(data: TopData, view: TopView, options: FrameOptions): string[] {
  const { height, paint, width } = options;
  const row: RowOptions = options;
  const source = sourceLine(data, row);
  const head = [topLine(data, row), ...(source === null ? [] : [source])];
  const { screen } = view;
  if (screen.type === "help") return [...head, "", ...HELP];
  const foot = height === null ? [] : [footLine(view, options)];
  if (screen.type === "detail") {
    const room = (height ?? Number.POSITIVE_INFINITY) - head.length - foot.length - 1;
    const body = screen.lines ?? ["…"];
    const from = Math.max(0, Math.min(screen.from, body.length - room));
    const part = body.slice(from, from + room).map((line) => cutPainted(line, width));
    return [...head, "", ...part, ...fill(room - part.length), ...foot];
  }
  const rows = rowsOf(data, view, options.now);
  const selected = height === null ? undefined : selectedOf(rows, view);
  const most = height === null ? 0 : Math.min(MOST_PANE, Math.max(3, height - head.length - foot.length - 8));
  const pane = height === null ? [] : paneLines(selected, cardOf(data, selected), most, row);
  const rule = height === null ? [] : [paint("dim", "─".repeat(width))];
  const room =
    height === null
      ? Number.POSITIVE_INFINITY
      : height - head.length - 1 - rule.length - pane.length - foot.length;
  const blocks = rows.map((session) => ({
    session,
    lines: [sessionRow(session, session === selected, row), ...agentRows(session, row)],
  }));
  const list = windowOf(blocks, selected === undefined ? 0 : rows.indexOf(selected), room);
  const none =
    view.filter === "" ? "  No session is open, and none ended in the last 24 h." : "  No such session.";
  const body = rows.length === 0 ? [paint("dim", none)] : list;
  return [
    ...head,
    headLine(row),
    ...body,
    ...(height === null ? [] : fill(room - body.length)),
    ...rule,
    ...pane,
    ...foot,
  ];
}

interface Block {
  readonly lines: readonly string[];
}

/** As many blocks as there is room for, with the chosen one among them. */
function windowOf(blocks: readonly Block[], at: number, room: number): string[] {
  let from = 0;
  const height = (first: number, last: number): number =>
    blocks.slice(first, last + 1).reduce((sum, { lines }) => sum + lines.length, 0);
  while (from < at && height(from, at) > room) from++;
  return blocks
    .slice(from)
    .flatMap(({ lines }) => lines)
    .slice(0, room);
}

function footLine(view: TopView, { width, paint }: FrameOptions): string {
  const { screen, filter, sort, note } = view;
  if (screen.type === "typing") {
    const label = { filter: "filter", deny: "deny, because", reply: "answer" }[screen.what];
    const room = width - displayWidth(label) - 4;
    const letters = [...screen.text];
    while (displayWidth(letters.join("")) > room) letters.shift();
    return `${paint("bold", ` ${label}: `)}${letters.join("")}${paint("bold", "█")}`;
  }
  if (note !== null) return paint("yellow", cutTo(` ${note}`, width));
  const chosen = [filter === "" ? null : `/${filter}`, sort === "attention" ? null : `by ${sort}`];
  const told = chosen.filter((part) => part !== null).join("  ");
  if (screen.type === "detail") return paint("dim", cutTo(" j/k scroll  ↵ back  t terminal  q back", width));
  return paint("dim", cutTo(told === "" ? KEYS : ` ${told} ${KEYS}`, width));
}

/** Of a line with colours: too long ones lose them, which is seldom. */
function cutPainted(line: string, width: number): string {
  const bare = line.replace(/\u001b\[[\d;]*m/g, "");
  return displayWidth(bare) <= width ? line : cutTo(bare, width);
}

function fill(lines: number): string[] {
  return Array.from({ length: Math.max(0, Math.min(lines, 1_000)) }, () => "");
}
