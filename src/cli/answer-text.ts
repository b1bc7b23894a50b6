import { shortDurationSince } from "../shown/duration.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { truncateToWidth } from "./display-width.ts";
import { paintFor } from "./paint.ts";
import type { Waits } from "./read-requests.ts";
import { fullRequestLines, jumpHint, requestLine, terminalOnlyReason } from "./request-text.ts";
import { projectLabel, shortId } from "./session-activity.ts";
import { tableLines } from "./table.ts";
import { terminalWidth } from "./terminal-width.ts";
import { choiceLines, howToAnswer } from "./typed-answer.ts";
import {
  type EqualRequests,
  groupEqual,
  isAnswerable,
  isTooLarge,
  type WaitingRequest,
} from "./waiting-requests.ts";

/** Lists all waiting requests, oldest first; equal requests are listed once. */
export function waitingListText({ requests, others }: Waits, now: number): string {
  const otherLines = others.length === 0 ? [] : [otherSessionsText(others.length)];
  if (requests.length === 0)
    return otherLines.length === 0
      ? "Nothing is waiting for you."
      : ["No request is waiting for you.", ...otherLines].join("\n");
  const groups = groupEqual(requests);
  const ids = shortIds(requests);
  const width = terminalWidth();
  const rows = groups.map(({ first, ids: equalIds }) => [
    visibleLine(ids.get(first.id)!),
    stateOf(first),
    shortDurationSince(first.sinceIso, now),
    shortId(first.sessionId),
    requestLine(first, equalIds.length),
  ]);
  const lines = tableLines([{}, {}, { align: "end" }, {}, { isWide: true }], rows, width);
  return [
    ...groups.flatMap((group, index) => [lines[index]!, ...terminalHintLines(group, width)]),
    ...otherLines,
    footerText(requests),
  ].join("\n");
}

/** The available actions for the listed requests. */
function footerText(requests: readonly WaitingRequest[]): string {
  const answerable = requests.filter(isAnswerable);
  const actions = [
    "`hookline answer ID` shows it in full",
    ...(answerable.some(({ kind }) => kind !== "question")
      ? ["`hookline answer ID y` or `d` answers it"]
      : []),
    ...(answerable.some(({ kind }) => kind === "question")
      ? ["`hookline answer ID CHOICE` answers a question"]
      : []),
    ...(requests.some(({ card }) => card?.status === "lost")
      ? ["`hookline answer ID again` repeats a lost one"]
      : []),
  ];
  return `${actions.join(", ")}.`;
}

function otherSessionsText(count: number): string {
  const need = count === 1 ? "1 session needs" : `${count} sessions need`;
  return `${need} you for something else: \`hookline sessions --needs-me\`.`;
}

/** One request in full. */
export function requestDetailText(request: WaitingRequest, now: number): string {
  const { session, sessionId, sinceIso } = request;
  const paint = paintFor(process.stdout);
  const projectText = session === null ? "" : ` in ${projectLabel(session)}`;
  const head = `${stateOf(request)} for ${shortDurationSince(sinceIso, now)}, session ${shortId(sessionId)}${projectText}`;
  // Output to a pipe is not wrapped.
  const width = process.stdout.isTTY ? terminalWidth() : Number.POSITIVE_INFINITY;
  return [paint("yellow", head), ...fullRequestLines(request, { width, paint })].join("\n");
}

/** The `--json` form: the card, or the session's record of a request that is not held. */
export function toRequestJson(request: WaitingRequest): object {
  const { card, session, parts, ...rest } = request;
  const recorded = { ...rest, source: "terminal", status: "terminal", whyTerminal: "not_held" };
  return { ...(card ?? recorded), isRecorded: card === null, parts };
}

/** How to answer the request, or why it can't be answered here. */
export function answerHelpText(request: WaitingRequest): string {
  return answerHelpLines(request).join("\n");
}

function answerHelpLines(request: WaitingRequest): string[] {
  const { card, session } = request;
  if (card?.status === "lost") return ["It was lost with its session; answer `again` to repeat it."];
  const why = terminalOnlyReason(request);
  if (card === null || why !== null) {
    const hint = jumpHint(session);
    return [`Answer this in the terminal: ${why}`, ...(hint === null ? [] : [`Go there with \`${hint}\`.`])];
  }
  if (isTooLarge(request)) return ["This request can only be denied here: d [reason]."];
  return [...choiceLines(card), `${howToAnswer(card)}.`];
}

function stateOf({ card, kind }: WaitingRequest): string {
  if (card?.status === "lost") return "lost";
  return card?.status === "pending" ? kind : `${kind}, in terminal`;
}

/** Where to answer a request that can't be answered here. */
function terminalHintLines({ first }: EqualRequests, width: number): string[] {
  if (terminalOnlyReason(first) === null) return [];
  const hint = jumpHint(first.session);
  const how = hint === null ? "" : `: ${hint}`;
  return [truncateToWidth(`      answer in the terminal${how}`, width)];
}

/** Usually enough to tell ids apart. */
const MIN_ID_CHARS = 13;

function shortIds(requests: readonly WaitingRequest[]): ReadonlyMap<string, string> {
  const ids = requests.map(({ id }) => id);
  const count = new Set(ids).size;
  const areUnique = (chars: number): boolean => new Set(ids.map((id) => id.slice(0, chars))).size === count;
  let chars = MIN_ID_CHARS;
  while (!areUnique(chars)) chars++;
  return new Map(ids.map((id) => [id, id.slice(0, chars)]));
}
