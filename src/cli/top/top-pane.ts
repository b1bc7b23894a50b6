import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { askedLines } from "../asked.ts";
import { cutTo, wrapTo } from "../display-width.ts";
import { age, clock } from "../duration.ts";
import { noPaint } from "../paint.ts";
import { oneLine, plainLines } from "../plain-text.ts";
import { placeOf, shortId } from "../session-doing.ts";
import type { RowOptions } from "./top-row.ts";

export interface Pane {
  readonly lines: readonly string[];
  /** Nothing of what is asked had to be left out. */
  readonly isWhole: boolean;
}

/** What is known of the chosen session, and what it asks in its exact words. */
export function paneOf(
  session: SessionSnapshot | undefined,
  card: Card | undefined,
  most: number,
  options: RowOptions,
): Pane {
  if (session === undefined) return { lines: [], isWhole: true };
  const { width, now, paint } = options;
  const evidence = session.evidence.map(
    ({ source, what, atIso }) => `${source} ${oneLine(what)} ${clock(atIso, now)}`,
  );
  const head = [
    placeOf(session),
    shortId(session.sessionId),
    oneLine(session.why),
    ...evidence.slice(0, 2),
    oneLine(session.cwd ?? ""),
  ].filter((part) => part !== "");
  const first = paint("bold", cutTo(` ${head.join(" · ")}`, width));
  const room = Math.max(2, most - 1);
  if (card !== undefined) {
    const asked = cardLines(card, room, options);
    return { lines: [first, ...asked.lines], isWhole: asked.isWhole };
  }
  const asked = waitingLines(session, options);
  const cut = asked.length > room ? [...asked.slice(0, room - 1), paint("dim", " … ↵ shows all")] : asked;
  return { lines: [first, ...cut], isWhole: true };
}

/** As much of it as there is room for, broken and not cut: the end of a line may be what matters. */
function cardLines(card: Card, room: number, { width, paint, now }: RowOptions): Pane {
  const lines: string[] = [];
  for (const [at, line] of askedLines(card, noPaint, room).entries()) {
    if (lines.length > room) break;
    for (const part of wrapTo(line, width - 2, room))
      lines.push(paint(at === 0 ? "yellow" : "bold", ` ${part}`));
  }
  const until =
    card.untilIso === null
      ? ""
      : `  its terminal alone in ${age(new Date(now).toISOString(), Date.parse(card.untilIso))}`;
  const isWhole = lines.length < room;
  const shown = isWhole ? lines : lines.slice(0, room - 2);
  const rest = isWhole ? [] : [paint("yellow", " … there is more: ↵ shows it whole")];
  return { lines: [...shown, ...rest, paint("cyan", cutTo(` ${answersOf(card)}${until}`, width))], isWhole };
}

/** It waits, and only its own terminal can answer. */
function waitingLines(
  { waiting, lastAssistantMessage, needsPerson }: SessionSnapshot,
  options: RowOptions,
): string[] {
  const { width, paint } = options;
  if (waiting === null) {
    const said =
      lastAssistantMessage === null ? [] : plainLines(lastAssistantMessage).filter(Boolean).slice(0, 2);
    return said.map((line) => paint("dim", cutTo(` ${line}`, width)));
  }
  const lines = plainLines(waiting.text).map((line) => paint("yellow", cutTo(` ${line}`, width)));
  const options_ = waiting.questions.flatMap(({ options: given }) =>
    given.map(({ label }, at) => cutTo(`   ${at + 1}. ${oneLine(label)}`, width)),
  );
  const how = needsPerson
    ? [paint("dim", cutTo(" t goes to its terminal, which alone can answer.", width))]
    : [];
  return [...lines, ...options_, ...how];
}

function answersOf(card: Card): string {
  if (card.status === "lost") return "Lost with its session: r asks again";
  if (card.kind === "question") return "1-9 answers, r types an answer, d declines";
  if (card.kind === "plan") return "y carries it out, a and accepts edits, d goes on planning, D says why";
  return `y allows once, a just this for the session, A every ${oneLine(card.toolName)}, d denies, D says why`;
}
