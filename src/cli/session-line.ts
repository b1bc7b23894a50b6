import type { SessionSnapshot } from "../serve/contract.ts";
import { costText } from "../shown/cost-text.ts";
import { age } from "../shown/duration.ts";
import { groupOf } from "../shown/session-groups.ts";
import { visibleInList } from "../shown/visible-text.ts";
import { cutTo, toCells } from "./display-width.ts";
import { type Colour, noPaint, type Paint } from "./paint.ts";
import { detailsOf, requestLine } from "./request-text.ts";
import { contextPercent, doingOf, modelText, placeOf, shortId } from "./session-doing.ts";
import { faceOf, waitsSince } from "./session-face.ts";
import { type RecordedRequest, recordedOf } from "./waiting-requests.ts";

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

export const NARROWEST = 80;
/** From here on there is room for the model. */
const ROOMY = 100;

/** One session on one line, exactly as wide as asked for. */
export function sessionLine(session: SessionSnapshot, options: LineOptions): string {
  const { now, paint = noPaint } = options;
  const width = Math.max(NARROWEST, options.width);
  const face = faceOf(session);
  const since =
    session.endedAtIso ?? (groupOf(session) === "needYou" ? waitsSince(session) : session.sinceIso);
  const context = contextPercent(session);
  const place = Math.floor(width / 5);
  const left: Column[] = [
    { cells: 12, text: `${face.icon} ${face.word}`, colour: face.colour },
    { cells: 5, text: age(since, now), align: "end" },
    { cells: place, text: placeOf(session) },
  ];
  const right: Column[] = [
    ...(width < ROOMY ? [] : [{ cells: 10, text: session.model === null ? "" : modelText(session.model) }]),
    { cells: 4, text: context === null ? "" : `${context}%`, align: "end" },
    { cells: 7, text: costText(session.cost) ?? "-", align: "end" },
    { cells: 8, text: shortId(session.sessionId), colour: "dim" },
  ];
  const taken = [...left, ...right].reduce((sum, column) => sum + column.cells + 1, 0);
  const mark = session.driven ? "» " : "";
  const doing: Column = { cells: width - taken, text: `${mark}${doingOf(session, now)}` };
  return [...left, doing, ...right].map((column) => draw(column, paint)).join(" ");
}

/** The line, and below it what is asked, or why else the session needs a person. */
export function sessionLines(session: SessionSnapshot, options: LineOptions): string[] {
  const line = sessionLine(session, options);
  if (!session.needsPerson) return [line];
  const { width, paint = noPaint } = options;
  const requests = recordedOf(session);
  const how = requests.length > 0 ? " → hookline answer" : "";
  const room = Math.max(NARROWEST, width) - 2;
  const asked = requestRows(session, requests);
  return [
    line,
    ...asked.map((text, at) => {
      const end = at === asked.length - 1 ? how : "";
      return paint("dim", `  ${cutTo(text, room - end.length)}${end}`);
    }),
  ];
}

/** One row for each request; a single one with the sentence that says why the session waits. */
function requestRows({ why }: SessionSnapshot, requests: readonly RecordedRequest[]): string[] {
  if (requests.length <= 1)
    return [[visibleInList(why), ...requests.flatMap(detailsOf).map(visibleInList)].join(" · ")];
  const equal = Map.groupBy(requests, ({ requestId: _id, sinceIso: _since, toolUseId: _call, ...asked }) =>
    JSON.stringify(asked),
  );
  return [...equal.values()].map((same) => requestLine(same[0]!, same.length));
}

function draw({ cells, text, align, colour }: Column, paint: Paint): string {
  const fitted = toCells(text, cells, align);
  return colour === undefined ? fitted : paint(colour, fitted);
}
