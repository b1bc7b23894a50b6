import { visibleLine } from "../shown/visible-text.ts";
import { choiceLines, howToAnswer } from "./asked.ts";
import { cutTo } from "./display-width.ts";
import { age } from "./duration.ts";
import { paintFor } from "./paint.ts";
import type { Waits } from "./read-requests.ts";
import { jumpHint, requestLine, wholeRequest, whyTerminal } from "./request-text.ts";
import { placeOf, shortId } from "./session-doing.ts";
import { tableLines } from "./table.ts";
import { terminalWidth } from "./terminal-width.ts";
import {
  type EqualRequests,
  groupEqual,
  isAnswerable,
  isTooLarge,
  type WaitingRequest,
} from "./waiting-requests.ts";

/** Everything that waits, the oldest first; equal requests once. */
export function listText({ requests, others }: Waits, now: number): string {
  const failed = others.length === 0 ? [] : [othersText(others.length)];
  if (requests.length === 0)
    return failed.length === 0
      ? "Nothing waits for you."
      : ["No request waits for you.", ...failed].join("\n");
  const groups = groupEqual(requests);
  const ids = shortIds(requests);
  const width = terminalWidth();
  const rows = groups.map(({ first, ids: equal }) => [
    visibleLine(ids.get(first.id)!),
    stateOf(first),
    age(first.sinceIso, now),
    shortId(first.sessionId),
    requestLine(first, equal.length),
  ]);
  const lines = tableLines([{}, {}, { align: "end" }, {}, { isWide: true }], rows, width);
  return [
    ...groups.flatMap((group, at) => [lines[at]!, ...belowOf(group, width)]),
    ...failed,
    footText(requests),
  ].join("\n");
}

/** What can be done with those that are listed. */
function footText(requests: readonly WaitingRequest[]): string {
  const answerable = requests.filter(isAnswerable);
  const ways = [
    "`hookline answer ID` shows one whole",
    ...(answerable.some(({ kind }) => kind !== "question")
      ? ["`hookline answer ID y` or `d` answers it"]
      : []),
    ...(answerable.some(({ kind }) => kind === "question")
      ? ["`hookline answer ID CHOICE` answers a question"]
      : []),
    ...(requests.some(({ card }) => card?.status === "lost")
      ? ["`hookline answer ID again` asks a lost one again"]
      : []),
  ];
  return `${ways.join(", ")}.`;
}

function othersText(count: number): string {
  const need = count === 1 ? "1 session needs" : `${count} sessions need`;
  return `${need} you for something else: \`hookline sessions --needs-me\`.`;
}

/** One request whole. */
export function requestText(request: WaitingRequest, now: number): string {
  const { session, sessionId, sinceIso } = request;
  const paint = paintFor(process.stdout);
  const place = session === null ? "" : ` in ${placeOf(session)}`;
  const head = `${stateOf(request)} for ${age(sinceIso, now)}, session ${shortId(sessionId)}${place}`;
  // A pipe gets lines as long as they are.
  const width = process.stdout.isTTY ? terminalWidth() : Number.POSITIVE_INFINITY;
  return [paint("yellow", head), ...wholeRequest(request, { width, paint })].join("\n");
}

/** As `--json` prints it: the card, or what the record has of a request that is not held. */
export function toJson(request: WaitingRequest): object {
  const { card, session, parts, ...rest } = request;
  const kept = { ...rest, source: "terminal", status: "terminal", whyTerminal: "not_held" };
  return { ...(card ?? kept), isRecorded: card === null, parts };
}

/** How it is answered, or why not here. */
export function howText(request: WaitingRequest): string {
  return howLines(request).join("\n");
}

function howLines(request: WaitingRequest): string[] {
  const { card, session } = request;
  if (card?.status === "lost") return ["It was lost with its session: `again` asks once more."];
  const why = whyTerminal(request);
  if (card === null || why !== null) {
    const hint = jumpHint(session);
    return [`Answer this in the terminal: ${why}`, ...(hint === null ? [] : [`\`${hint}\` goes there.`])];
  }
  if (isTooLarge(request)) return ["It can only be denied here: d [why]."];
  return [...choiceLines(card), `${howToAnswer(card)}.`];
}

function stateOf({ card, kind }: WaitingRequest): string {
  if (card?.status === "lost") return "lost";
  return card?.status === "pending" ? kind : `${kind}, in terminal`;
}

/** What a row has no room for, and where it is answered when not here. */
function belowOf({ first }: EqualRequests, width: number): string[] {
  if (whyTerminal(first) === null) return [];
  const hint = jumpHint(first.session);
  const how = hint === null ? "" : `: ${hint}`;
  return [cutTo(`      answer it in the terminal${how}`, width)];
}

/** As long as it takes to tell them apart. */
const ID_CHARS = 13;

function shortIds(requests: readonly WaitingRequest[]): ReadonlyMap<string, string> {
  const ids = requests.map(({ id }) => id);
  const count = new Set(ids).size;
  const isOne = (chars: number): boolean => new Set(ids.map((id) => id.slice(0, chars))).size === count;
  let chars = ID_CHARS;
  while (!isOne(chars)) chars++;
  return new Map(ids.map((id) => [id, id.slice(0, chars)]));
}
