import type { Card } from "../../control/control-contract.ts";
import type { SessionSnapshot } from "../../serve/contract.ts";
import { askedLines } from "../asked.ts";
import { cutTo } from "../display-width.ts";
import { age, clock } from "../duration.ts";
import { oneLine, plainLines } from "../plain-text.ts";
import { placeOf, shortId } from "../session-doing.ts";
import type { RowOptions } from "./top-row.ts";

/** What is known of the chosen session, and what it asks in its exact words. */
export function paneLines(
  session: SessionSnapshot | undefined,
  card: Card | undefined,
  most: number,
  options: RowOptions,
): string[] {
  if (session === undefined) return [];
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
  const asked = card === undefined ? waitingLines(session, options) : cardLines(card, options);
  const room = Math.max(0, most - 1);
  const cut = asked.length > room ? [...asked.slice(0, room - 1), paint("dim", " … ↵ shows all")] : asked;
  return [first, ...cut];
}

function cardLines(card: Card, options: RowOptions): string[] {
  const { width, paint, now } = options;
  const lines = askedLines(card).map((line, at) =>
    paint(at === 0 ? "yellow" : "bold", ` ${cutTo(line, width - 2)}`),
  );
  const until =
    card.untilIso === null
      ? ""
      : `  its terminal alone in ${age(new Date(now).toISOString(), Date.parse(card.untilIso))}`;
  return [...lines, paint("cyan", cutTo(` ${answersOf(card)}${until}`, width))];
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
