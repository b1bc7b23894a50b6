import type { SessionSnapshot } from "../../serve/contract.ts";
import { cutTo, displayWidth, toCells } from "../display-width.ts";
import type { Paint } from "../paint.ts";
import { placeOf, shortId } from "../session-doing.ts";
import { toAscii } from "./ascii.ts";
import { cardOf, type TopData } from "./top-data.ts";
import { sourceLine, topLine } from "./top-head.ts";
import { HELP } from "./top-help.ts";
import { type Pane, paneOf } from "./top-pane.ts";
import { agentRows, headLine, type RowOptions, runningAgents, sessionRow } from "./top-row.ts";
import { projectOf, rowsOf, selectedOf, type TopView } from "./top-view.ts";

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
const KEYS = " j/k  ↵ open  n next  t terminal  l tail  / filter  s sort  g group  ? help  q";

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
  if (screen.type === "tail") {
    const room = (height ?? Number.POSITIVE_INFINITY) - head.length - foot.length - 1;
    const body = screen.lines ?? ["…"];
    const end = Math.max(Math.min(room, body.length), body.length - screen.back);
    const part = body.slice(Math.max(0, end - room), end).map((line) => cutTo(line, width));
    const of = data.sessions.get(screen.sessionId);
    const title = of === undefined ? "" : `${placeOf(of)} · ${shortId(of.sessionId)}`;
    return [...head, paint("bold", cutTo(title, width)), ...part, ...fill(room - part.length), ...foot];
  }
  const rows = rowsOf(data, view, options.now);
  const selected = height === null ? undefined : selectedOf(rows, view);
  const at = selected === undefined ? 0 : rows.indexOf(selected);
  const pane = height === null ? [] : paneFor(data, selected, { ...options, height }).lines;
  const room =
    height === null ? Number.POSITIVE_INFINITY : height - head.length - 2 - pane.length - foot.length;
  const isFirst = (index: number): boolean =>
    view.isGrouped && (index === 0 || projectOf(rows[index]!) !== projectOf(rows[index - 1]!));
  const heightOf = (index: number): number => 1 + Number(isFirst(index)) + runningAgents(rows[index]!).length;
  const [from, to] = windowOf(rows.length, at, room, heightOf);
  const list = rows
    .slice(from, to)
    .flatMap((session, index) => [
      ...(isFirst(from + index) ? [paint("bold", toCells(` ${projectOf(session)}`, width))] : []),
      sessionRow(session, session === selected, row),
      ...agentRows(session, row),
    ]);
  const rule =
    height === null ? [] : [paint("dim", ruleLine(width, rows.length > to - from ? at : null, rows.length))];
  const none =
    view.filter === "" ? "  No session is open, and none ended in the last 24 h." : "  No such session.";
  const body = rows.length === 0 ? [paint("dim", none)] : list.slice(0, room);
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

/** What stands below the list. The frame is drawn with it, and a key must know whether it is whole. */
export function paneFor(
  data: TopData,
  selected: SessionSnapshot | undefined,
  options: FrameOptions & { readonly height: number },
): Pane {
  const width = Math.max(NARROWEST, options.width);
  const most = Math.min(MOST_PANE, Math.max(4, options.height - 10));
  return paneOf(selected, cardOf(data, selected), most, { ...options, width });
}

/** The rows that there is room for, with the chosen one among them. Only these are drawn: there may be thousands. */
function windowOf(
  count: number,
  at: number,
  room: number,
  heightOf: (index: number) => number,
): readonly [number, number] {
  if (room === Number.POSITIVE_INFINITY) return [0, count];
  let from = Math.min(at, Math.max(0, count - 1));
  let used = count === 0 ? 0 : heightOf(from);
  while (from > 0 && used + heightOf(from - 1) <= room) used += heightOf(--from);
  let to = Math.min(count, at + 1);
  while (to < count && used < room) used += heightOf(to++);
  return [from, to];
}

/** Which of how many, where not all can be seen. */
function ruleLine(width: number, at: number | null, count: number): string {
  const told = at === null ? "" : ` ${at + 1} of ${count} `;
  return `${"─".repeat(width - told.length - (at === null ? 0 : 2))}${told}${at === null ? "" : "──"}`;
}

function footLine(view: TopView, { width, paint }: FrameOptions): string {
  const { screen, filter, sort, isGrouped, note } = view;
  if (screen.type === "typing") {
    const label = { filter: "filter", deny: "deny, because", reply: "answer" }[screen.what];
    const room = width - displayWidth(label) - 4;
    const letters = [...screen.text];
    while (displayWidth(letters.join("")) > room) letters.shift();
    return `${paint("bold", ` ${label}: `)}${letters.join("")}${paint("bold", "█")}`;
  }
  if (note !== null) return paint("yellow", cutTo(` ${note}`, width));
  const chosen = [
    filter === "" ? null : `/${filter}`,
    sort === "attention" ? null : `by ${sort}`,
    isGrouped ? "by project" : null,
  ];
  const told = chosen.filter((part) => part !== null).join("  ");
  if (screen.type === "detail") return paint("dim", cutTo(" j/k scroll  ↵ back  t terminal  q back", width));
  if (screen.type === "tail") return paint("dim", cutTo(" j/k scroll  end newest  esc back", width));
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
