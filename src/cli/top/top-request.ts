import type { Card } from "../../control/control-contract.ts";
import { shortDurationSince } from "../../shown/duration.ts";
import { visibleLine } from "../../shown/visible-text.ts";
import type { Paint } from "../paint.ts";
import { isWideEnough, noteLines, requestLines } from "../request-lines.ts";
import { fullRequestLines, repeatText, terminalOnlyReason } from "../request-text.ts";
import { choiceLines } from "../typed-answer.ts";
import { type EqualRequests, isTooLarge, type WaitingRequest } from "../waiting-requests.ts";

export interface RequestOptions {
  /** The terminal's own width: a line that is too long would lose its end. */
  readonly columns: number;
  readonly now: number;
  readonly paint: Paint;
  readonly ascii: boolean;
}

export interface RequestBlock {
  /** Its kind, and its text in full. */
  readonly text: readonly string[];
  /** The last line of agent text; what follows is ours. */
  readonly textEnd: number;
  /** How to answer it. */
  readonly how: readonly string[];
  /** False on a terminal that is too narrow to show it. */
  readonly isReadable: boolean;
}

/** A request as `top` draws it, in the list's pane and on its own screen. */
export function requestBlock(
  group: EqualRequests,
  groups: readonly EqualRequests[],
  options: RequestOptions,
): RequestBlock {
  const { columns, paint, now } = options;
  const before = groups.slice(0, groups.indexOf(group)).flatMap(({ ids }) => ids).length;
  const count = groups.flatMap(({ ids }) => ids).length;
  const position = [
    count > 1 ? `${before + 1} of ${count} requests` : "",
    repeatText(group.ids.length),
    groups.length > 1 ? "Tab: next" : "",
  ].filter(Boolean);
  const head = position.length === 0 ? [] : [paint("yellow", ` ${position.join(" · ")}`)];
  const cyan: Paint = (_colour, text) => paint("cyan", text);
  const how = answerHelp(group.first, now).flatMap((line) =>
    noteLines(line, { ...options, paint: cyan, width: columns }, " "),
  );
  const { lines, agentLineCount } = drawLines(group.first, options);
  return {
    text: [...head, ...lines],
    textEnd: head.length + agentLineCount - 1,
    how,
    isReadable: isWideEnough(columns - 2),
  };
}

interface DrawnLines {
  readonly options: RequestOptions;
  readonly lines: readonly string[];
  /** How many of them are agent text. */
  readonly agentLineCount: number;
}

/** Cached, because `top` redraws every second and wrapping a long request takes a while. */
const drawnLines = new WeakMap<object, DrawnLines>();

function drawLines(request: WaitingRequest, options: RequestOptions): DrawnLines {
  const { columns, paint, ascii } = options;
  const cached = drawnLines.get(request.parts);
  const isSame =
    cached?.options.columns === columns && cached.options.paint === paint && cached.options.ascii === ascii;
  if (cached !== undefined && isSame) return cached;
  const lineOptions = { width: columns - 2, paint, ascii };
  const lines = fullRequestLines(request, lineOptions).map((line) => ` ${line}`);
  const result: DrawnLines = {
    options,
    lines,
    agentLineCount: requestLines(request.parts, lineOptions).length,
  };
  drawnLines.set(request.parts, result);
  return result;
}

function answerHelp(request: WaitingRequest, now: number): string[] {
  const { card } = request;
  const why = terminalOnlyReason(request);
  if (card === null || why !== null) return [`Answer this in the terminal: ${why} Press t to go there.`];
  if (isTooLarge(request)) return ["Too large to allow here: d deny, D deny with a reason."];
  const timeLeft =
    card.untilIso === null
      ? null
      : shortDurationSince(new Date(now).toISOString(), Date.parse(card.untilIso));
  return [
    ...choiceLines(card),
    keyHelp(card),
    ...(timeLeft === null ? [] : [`Answer here within ${timeLeft}; after that only in the terminal.`]),
  ];
}

function keyHelp(card: Card): string {
  if (card.status === "lost") return "Lost with its session: r ask again";
  if (card.kind === "question") return "1-9 choose, r type an answer, d decline";
  if (card.kind === "plan") return "y approve, a approve and accept edits, d keep planning, D with a reason";
  return `y allow once, a allow this call for the session, A allow all ${visibleLine(card.toolName)}, d deny, D with a reason`;
}
