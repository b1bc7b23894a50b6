import type { SessionSnapshot } from "../../serve/contract.ts";
import { costText } from "../../shown/cost-text.ts";
import { shortDurationSince } from "../../shown/duration.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { groupOf, isSessionOver } from "../../shown/session-groups.ts";
import { countText } from "../amounts.ts";
import { fitToWidth } from "../display-width.ts";
import type { Colour, Paint } from "../paint.ts";
import { activityText, contextPercent, modelText, projectLabel } from "../session-activity.ts";
import { stateBadge, waitingSince } from "../state-badge.ts";

export interface RowOptions {
  readonly width: number;
  readonly now: number;
  readonly paint: Paint;
}

interface Column {
  readonly title: string;
  readonly cells: number;
  readonly align?: "end";
  /** The minimum width that shows it. */
  readonly from: number;
  readonly text: (session: SessionSnapshot, now: number) => string;
  readonly colour?: (session: SessionSnapshot) => Colour | null;
}

const BAR_CELLS = 7;
const HIGH_CONTEXT_PERCENT = 85;
const PROJECT_CELLS = { narrow: 14, wide: 22 };

const LEFT_COLUMNS: readonly Column[] = [
  {
    title: "STATE",
    cells: 12,
    from: 0,
    text: (session) => `${stateBadge(session).icon} ${stateBadge(session).label}`,
    colour: (session) => stateBadge(session).colour,
  },
  {
    title: "AGE",
    cells: 5,
    align: "end",
    from: 0,
    text: (session, now) => shortDurationSince(sinceOf(session), now),
  },
];

const RIGHT_COLUMNS: readonly Column[] = [
  { title: "MODEL", cells: 10, from: 110, text: ({ model }) => (model === null ? "" : modelText(model)) },
  { title: "CTX", cells: BAR_CELLS + 5, from: 96, text: barOf, colour: contextColour },
  { title: "CTX", cells: 4, align: "end", from: 0, text: percentOf, colour: contextColour },
  { title: "TURN", cells: 4, align: "end", from: 0, text: ({ turnCount }) => String(turnCount) },
  { title: "TOK", cells: 5, align: "end", from: 120, text: ({ tokens }) => countText(totalOf(tokens)) },
  { title: "COST", cells: 7, align: "end", from: 0, text: ({ cost }) => costText(cost) ?? "-" },
];

/** The titles of the columns that fit. */
export function columnTitlesLine({ width, paint }: RowOptions): string {
  const texts = columnsFor(width).map(({ title, cells, align }) => fitToWidth(title, cells, align));
  return paint("dim", `  ${texts.join(" ")}`);
}

/** One session, exactly as wide as requested; the selected one has a marker. */
export function sessionRow(session: SessionSnapshot, isSelected: boolean, options: RowOptions): string {
  const { width, now, paint } = options;
  const cells = columnsFor(width).map(({ cells: columnCells, align, text, colour }) => {
    const fitted = fitToWidth(text(session, now), columnCells, align);
    const painted = colour?.(session) ?? null;
    if (painted !== null) return paint(painted, fitted);
    return isSelected ? paint("bold", fitted) : isSessionOver(session) ? paint("dim", fitted) : fitted;
  });
  return `${isSelected ? paint("bold", "›") : " "} ${cells.join(" ")}`;
}

const MAX_AGENT_ROWS = 3;

export function runningAgents({ subagents }: SessionSnapshot): SessionSnapshot["subagents"] {
  return subagents.filter(({ isRunning }) => isRunning).slice(0, MAX_AGENT_ROWS);
}

/** What its subagents are doing, below it. */
export function agentRows(session: SessionSnapshot, { width, now, paint }: RowOptions): string[] {
  const running = runningAgents(session);
  return running.map(({ agentType, sinceIso, action }, index) => {
    const branch = index === running.length - 1 ? "└" : "├";
    const what = action === null ? "thinking" : [action.toolName, action.text].filter(Boolean).join(": ");
    const project = projectCells(width);
    const line = [
      fitToWidth(`${branch} ● ${oneLine(agentType ?? "agent")}`, LEFT_COLUMNS[0]!.cells),
      fitToWidth(shortDurationSince(sinceIso, now), LEFT_COLUMNS[1]!.cells, "end"),
      fitToWidth("", project),
      oneLine(what),
    ].join(" ");
    return paint("dim", fitToWidth(`  ${line}`, width));
  });
}

function columnsFor(width: number): Column[] {
  const hasBar = RIGHT_COLUMNS.some(
    ({ title, cells, from }) => title === "CTX" && cells > BAR_CELLS && from <= width,
  );
  const right = RIGHT_COLUMNS.filter(
    ({ title, cells, from }) => from <= width && !(title === "CTX" && hasBar && cells <= BAR_CELLS),
  );
  const isNarrow = width < 100;
  const project: Column = {
    title: isNarrow ? "PROJECT" : "PROJECT ▸ BRANCH",
    cells: projectCells(width),
    from: 0,
    text: (session) => (isNarrow ? (projectLabel(session).split(" ▸ ")[0] ?? "") : projectLabel(session)),
  };
  const fixedCells = [...LEFT_COLUMNS, project, ...right].reduce((sum, { cells }) => sum + cells + 1, 2);
  const action: Column = {
    title: "ACTION",
    cells: Math.max(8, width - fixedCells),
    from: 0,
    text: activityText,
  };
  return [...LEFT_COLUMNS, project, action, ...right];
}

function projectCells(width: number): number {
  return width < 100
    ? PROJECT_CELLS.narrow
    : Math.min(34, Math.max(PROJECT_CELLS.wide, Math.floor(width / 6)));
}

function sinceOf(session: SessionSnapshot): string {
  return session.endedAtIso ?? (groupOf(session) === "needYou" ? waitingSince(session) : session.sinceIso);
}

function percentOf(session: SessionSnapshot): string {
  const percent = contextPercent(session);
  return percent === null ? "" : `${percent}%`;
}

function barOf(session: SessionSnapshot): string {
  const percent = contextPercent(session);
  return percent === null ? "" : `${bar(percent, BAR_CELLS)} ${`${percent}%`.padStart(4)}`;
}

function contextColour(session: SessionSnapshot): Colour | null {
  return (contextPercent(session) ?? 0) >= HIGH_CONTEXT_PERCENT ? "yellow" : null;
}

/** A fill level; anything above zero is visible. */
export function bar(percent: number, cells: number): string {
  const filled = Math.min(cells, Math.ceil((Math.max(0, percent) / 100) * cells));
  return "█".repeat(filled) + "░".repeat(cells - filled);
}

function totalOf({ input, output, cacheRead, cacheWrite }: SessionSnapshot["tokens"]): number {
  return input + output + cacheRead + cacheWrite;
}
