import type { SessionSnapshot } from "../serve/contract.ts";
import { costText } from "../shown/cost-text.ts";
import { shortDurationSince } from "../shown/duration.ts";
import { groupOf } from "../shown/session-groups.ts";
import { visibleInList } from "../shown/visible-text.ts";
import { fitToWidth, truncateToWidth } from "./display-width.ts";
import { type Colour, noPaint, type Paint } from "./paint.ts";
import { requestDetails, requestLine } from "./request-text.ts";
import { activityText, contextPercent, modelText, projectLabel, shortId } from "./session-activity.ts";
import { stateBadge, waitingSince } from "./state-badge.ts";
import { type RecordedRequest, recordedRequests } from "./waiting-requests.ts";

export interface LineOptions {
  readonly width: number;
  readonly now: number;
  readonly paint?: Paint;
}

interface Column {
  readonly cells: number;
  readonly text: string;
  readonly align?: "end";
  readonly colour?: Colour;
}

export const MIN_LINE_WIDTH = 80;
/** The minimum width that shows the model. */
const MODEL_MIN_WIDTH = 100;

/** One session on one line, exactly as wide as requested. */
export function sessionLine(session: SessionSnapshot, options: LineOptions): string {
  const { now, paint = noPaint } = options;
  const width = Math.max(MIN_LINE_WIDTH, options.width);
  const badge = stateBadge(session);
  const since =
    session.endedAtIso ?? (groupOf(session) === "needYou" ? waitingSince(session) : session.sinceIso);
  const context = contextPercent(session);
  const projectCells = Math.floor(width / 5);
  const left: Column[] = [
    { cells: 12, text: `${badge.icon} ${badge.label}`, colour: badge.colour },
    { cells: 5, text: shortDurationSince(since, now), align: "end" },
    { cells: projectCells, text: projectLabel(session) },
  ];
  const right: Column[] = [
    ...(width < MODEL_MIN_WIDTH
      ? []
      : [{ cells: 10, text: session.model === null ? "" : modelText(session.model) }]),
    { cells: 4, text: context === null ? "" : `${context}%`, align: "end" },
    { cells: 7, text: costText(session.cost) ?? "-", align: "end" },
    { cells: 8, text: shortId(session.sessionId), colour: "dim" },
  ];
  const fixedCells = [...left, ...right].reduce((sum, column) => sum + column.cells + 1, 0);
  const mark = session.driven ? "» " : "";
  const activity: Column = { cells: width - fixedCells, text: `${mark}${activityText(session, now)}` };
  return [...left, activity, ...right].map((column) => draw(column, paint)).join(" ");
}

/** The line, and below it the requests, or why else the session needs a person. */
export function sessionLines(session: SessionSnapshot, options: LineOptions): string[] {
  const line = sessionLine(session, options);
  if (!session.needsPerson) return [line];
  const { width, paint = noPaint } = options;
  const requests = recordedRequests(session);
  const how = requests.length > 0 ? " → hookline answer" : "";
  const availableCells = Math.max(MIN_LINE_WIDTH, width) - 2;
  const rows = requestRows(session, requests);
  return [
    line,
    ...rows.map((text, index) => {
      const end = index === rows.length - 1 ? how : "";
      return paint("dim", `  ${truncateToWidth(text, availableCells - end.length)}${end}`);
    }),
  ];
}

/** One row per request; a single one includes the reason the session waits. */
function requestRows({ why }: SessionSnapshot, requests: readonly RecordedRequest[]): string[] {
  if (requests.length <= 1)
    return [[visibleInList(why), ...requests.flatMap(requestDetails).map(visibleInList)].join(" · ")];
  const groups = Map.groupBy(requests, ({ requestId: _id, sinceIso: _since, toolUseId: _call, ...content }) =>
    JSON.stringify(content),
  );
  return [...groups.values()].map((group) => requestLine(group[0]!, group.length));
}

function draw({ cells, text, align, colour }: Column, paint: Paint): string {
  const fitted = fitToWidth(text, cells, align);
  return colour === undefined ? fitted : paint(colour, fitted);
}
