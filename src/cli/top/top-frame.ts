import type { SessionSnapshot } from "../../serve/contract.ts";
import { displayWidth, fitToWidth, truncateToWidth } from "../display-width.ts";
import type { Paint } from "../paint.ts";
import { projectLabel, shortId } from "../session-activity.ts";
import type { WaitingRequest } from "../waiting-requests.ts";
import { toAscii } from "./ascii.ts";
import { currentGroup, updateCurrentRequest } from "./current-request.ts";
import { requestGroups, type TopData } from "./top-data.ts";
import { pauseLines, sourceLine, summaryLine } from "./top-head.ts";
import { HELP } from "./top-help.ts";
import { drawPane, NO_PANE, otherRequestLines, type Pane } from "./top-pane.ts";
import { requestBlock } from "./top-request.ts";
import { agentRows, columnTitlesLine, runningAgents, sessionRow } from "./top-row.ts";
import { listRows, projectName, type Screen, selectedSession, type TopView } from "./top-view.ts";

export interface FrameOptions {
  readonly width: number;
  /** The number of lines; null for no limit. */
  readonly height: number | null;
  readonly now: number;
  readonly paint: Paint;
  readonly ascii: boolean;
}

const MIN_WIDTH = 80;
const MIN_PANE_LINES = 12;
const KEYS = " j/k  ↵ open  n next  t terminal  l tail  / filter  S sort  B group  ? help  q";

/** What is drawn, and the part of it that keys can answer. */
export interface Frame {
  readonly lines: readonly string[];
  /** The session whose requests are shown; null: whichever asks next; undefined: no requests are shown. */
  readonly sessionId: string | null | undefined;
  readonly requests: readonly string[];
  /** The request that keys answer, as drawn. */
  readonly current: DrawnCurrent | null;
  /** The last line at which a scrolling screen can start. */
  readonly maxFrom: number;
  /** The first start line at which the end of the shown request is visible. */
  readonly endFrom: number;
}

export interface DrawnCurrent {
  readonly request: WaitingRequest;
  /** Some of its text is on the screen; in the list, all of it. */
  readonly isDrawn: boolean;
  /** The end of its text is on the screen. */
  readonly isEndDrawn: boolean;
}

export function topFrame(data: TopData, view: TopView, options: FrameOptions): readonly string[] {
  return drawTop(data, view, options).lines;
}

/** Draws the screen, line by line. Pure. */
export function drawTop(data: TopData, currentView: TopView, options: FrameOptions): Frame {
  const view = updateCurrentRequest(currentView, data, options.now);
  const width = Math.max(MIN_WIDTH, options.width);
  const frame = draw(data, view, { ...options, width, columns: options.width });
  const shown = options.height === null ? frame.lines : frame.lines.slice(0, options.height);
  return { ...frame, lines: options.ascii ? shown.map(toAscii) : shown };
}

interface DrawOptions extends FrameOptions {
  /** The terminal's width, which may be less than what is drawn. */
  readonly columns: number;
}

const NO_REQUESTS = { sessionId: undefined, requests: [], current: null, maxFrom: 0, endFrom: 0 } as const;

function draw(data: TopData, view: TopView, options: DrawOptions): Frame {
  const source = sourceLine(data, options);
  const head = [
    summaryLine(data, options),
    ...(source === null ? [] : [source]),
    ...pauseLines(data, options),
  ];
  const { screen } = view;
  if (screen.type === "help") return { ...NO_REQUESTS, lines: [...head, "", ...HELP] };
  if (screen.type === "detail") return drawDetail(data, view, screen, { head, options });
  if (screen.type === "tail") return drawTail(data, view, screen, { head, options });
  return drawList(data, view, { head, options });
}

interface FrameParts {
  readonly head: readonly string[];
  readonly options: DrawOptions;
}

function drawDetail(
  data: TopData,
  view: TopView,
  screen: Screen & { readonly type: "detail" },
  { head, options }: FrameParts,
): Frame {
  const { height, width, paint, now } = options;
  const foot = height === null ? [] : [footLine(view, options)];
  const availableLines = (height ?? Number.POSITIVE_INFINITY) - head.length - foot.length - 1;
  const groups = requestGroups(data, screen.sessionId, now);
  const isCurrent = view.current !== null && view.current.requestId === screen.requestId;
  const group = isCurrent ? currentGroup(view.current, groups) : undefined;
  const block = group === undefined ? null : requestBlock(group, groups, options);
  const ended = screen.requestId === null ? [] : [paint("yellow", " That request is no longer waiting."), ""];
  const others = otherRequestLines(
    groups.filter((other) => other !== group),
    options,
  );
  const requestLines = [...(block === null ? ended : [...block.text, ...block.how]), ...others, ""];
  const body = [...requestLines, ...(screen.lines ?? ["…"]).map((line) => truncatePainted(line, width))];
  const maxFrom = Math.max(0, body.length - availableLines);
  const from = Math.max(0, Math.min(screen.from, maxFrom));
  const part = body.slice(from, from + availableLines);
  const textEnd = block?.textEnd ?? 0;
  const isDrawn = block?.isReadable === true && from <= textEnd && availableLines > 0;
  const isEndDrawn = isDrawn && textEnd < from + availableLines;
  const requestEnd = block === null ? 0 : block.text.length + block.how.length;
  return {
    lines: [...head, "", ...part, ...fill(availableLines - part.length), ...foot],
    sessionId: screen.sessionId,
    requests: group?.ids ?? [],
    current: group === undefined ? null : { request: group.first, isDrawn, isEndDrawn },
    maxFrom,
    endFrom: Math.max(0, Math.min(requestEnd - availableLines, maxFrom)),
  };
}

function drawTail(
  data: TopData,
  view: TopView,
  screen: Screen & { readonly type: "tail" },
  { head, options }: FrameParts,
): Frame {
  const { height, width, paint } = options;
  const foot = height === null ? [] : [footLine(view, options)];
  const availableLines = (height ?? Number.POSITIVE_INFINITY) - head.length - foot.length - 1;
  const body = screen.lines ?? ["…"];
  const end = Math.max(Math.min(availableLines, body.length), body.length - screen.back);
  const part = body.slice(Math.max(0, end - availableLines), end).map((line) => truncateToWidth(line, width));
  const session = data.sessions.get(screen.sessionId);
  const title = session === undefined ? "" : `${projectLabel(session)} · ${shortId(session.sessionId)}`;
  const lines = [
    ...head,
    paint("bold", truncateToWidth(title, width)),
    ...part,
    ...fill(availableLines - part.length),
    ...foot,
  ];
  return { ...NO_REQUESTS, lines };
}

function drawList(data: TopData, view: TopView, { head, options }: FrameParts): Frame {
  const { height, width, paint, now } = options;
  const rows = listRows(data, view, now);
  const selected = height === null ? undefined : selectedSession(rows, view);
  const selectedIndex = selected === undefined ? 0 : rows.indexOf(selected);
  const foot = height === null ? [] : [footLine(view, options)];
  const pane = height === null ? NO_PANE : paneFor(data, view, selected, { ...options, height });
  const availableLines =
    height === null
      ? Number.POSITIVE_INFINITY
      : Math.max(0, height - head.length - 2 - pane.lines.length - foot.length);
  const isFirst = (index: number): boolean =>
    view.isGrouped && (index === 0 || projectName(rows[index]!) !== projectName(rows[index - 1]!));
  const heightOf = (index: number): number => 1 + Number(isFirst(index)) + runningAgents(rows[index]!).length;
  const [from, to] = windowOf(rows.length, selectedIndex, availableLines, heightOf);
  const list = rows
    .slice(from, to)
    .flatMap((session, index) => [
      ...(isFirst(from + index) ? [paint("bold", fitToWidth(` ${projectName(session)}`, width))] : []),
      sessionRow(session, session === selected, options),
      ...agentRows(session, options),
    ]);
  const rule =
    height === null
      ? []
      : [paint("dim", ruleLine(width, rows.length > to - from ? selectedIndex : null, rows.length))];
  const none =
    view.filter === "" ? "  No session is open or ended in the last 24 hours." : "  No matching session.";
  const body = rows.length === 0 ? [paint("dim", none)] : list.slice(0, availableLines);
  const above = [
    ...head,
    columnTitlesLine(options),
    ...body,
    ...(height === null ? [] : fill(availableLines - body.length)),
    ...rule,
  ];
  const { current } = pane;
  const endLine = current === null || current.endLine === null ? null : above.length + current.endLine;
  const isDrawn = endLine !== null && endLine < (height ?? 0);
  return {
    lines: [...above, ...pane.lines, ...foot],
    sessionId: view.selected === null && view.current === null ? null : selected?.sessionId,
    requests: pane.requests.flatMap(({ ids }) => ids),
    current: current === null ? null : { request: current.group.first, isDrawn, isEndDrawn: isDrawn },
    maxFrom: 0,
    endFrom: 0,
  };
}

/** The pane below the list, with all requests of the selected session. */
function paneFor(
  data: TopData,
  view: TopView,
  selected: SessionSnapshot | undefined,
  options: DrawOptions & { readonly height: number },
): Pane {
  const maxLines = Math.max(4, Math.min(Math.max(MIN_PANE_LINES, options.height >> 1), options.height - 10));
  const groups = selected === undefined ? [] : requestGroups(data, selected.sessionId, options.now);
  return drawPane(selected, { groups, current: view.current }, maxLines, options);
}

/** The rows that fit, including the selected one. Only these are drawn: there may be thousands. */
function windowOf(
  count: number,
  selectedIndex: number,
  availableLines: number,
  heightOf: (index: number) => number,
): readonly [number, number] {
  if (availableLines === Number.POSITIVE_INFINITY) return [0, count];
  let from = Math.min(selectedIndex, Math.max(0, count - 1));
  let used = count === 0 ? 0 : heightOf(from);
  while (from > 0 && used + heightOf(from - 1) <= availableLines) used += heightOf(--from);
  let to = Math.min(count, selectedIndex + 1);
  while (to < count && used < availableLines) used += heightOf(to++);
  return [from, to];
}

/** Shows the position when not all rows are visible. */
function ruleLine(width: number, selectedIndex: number | null, count: number): string {
  const positionText = selectedIndex === null ? "" : ` ${selectedIndex + 1} of ${count} `;
  return `${"─".repeat(width - positionText.length - (selectedIndex === null ? 0 : 2))}${positionText}${selectedIndex === null ? "" : "──"}`;
}

function footLine(view: TopView, { width, paint }: FrameOptions): string {
  const { screen, filter, sort, isGrouped, note } = view;
  if (screen.type === "typing") {
    const label = { filter: "filter", deny: "deny, because", reply: "answer" }[screen.what];
    const availableCells = width - displayWidth(label) - 4;
    const letters = [...screen.text];
    while (displayWidth(letters.join("")) > availableCells) letters.shift();
    return `${paint("bold", ` ${label}: `)}${letters.join("")}${paint("bold", "█")}`;
  }
  if (note !== null) return paint("yellow", truncateToWidth(` ${note}`, width));
  const chosen = [
    filter === "" ? null : `/${filter}`,
    sort === "attention" ? null : `by ${sort}`,
    isGrouped ? "by project" : null,
  ];
  const optionsText = chosen.filter((part) => part !== null).join("  ");
  if (screen.type === "detail")
    return paint(
      "dim",
      truncateToWidth(" j/k scroll  end last line  Tab next request  t terminal  q back", width),
    );
  if (screen.type === "tail")
    return paint("dim", truncateToWidth(" j/k scroll  end newest  esc back", width));
  return paint("dim", truncateToWidth(optionsText === "" ? KEYS : ` ${optionsText} ${KEYS}`, width));
}

/** For a line with colours: one that is too long loses them, which is rare. */
function truncatePainted(line: string, width: number): string {
  const bare = line.replace(/\u001b\[[\d;]*m/g, "");
  return displayWidth(bare) <= width ? line : truncateToWidth(bare, width);
}

function fill(lines: number): string[] {
  return Array.from({ length: Math.max(0, Math.min(lines, 1_000)) }, () => "");
}
