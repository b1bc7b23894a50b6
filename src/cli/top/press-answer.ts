import type { CardAnswer } from "../../control/control-contract.ts";
import { ANSWER_KEYS } from "../../shown/answer-keys.ts";
import { oneLine } from "../../shown/plain-text.ts";
import { terminalOnlyReason } from "../request-text.ts";
import { pickOption, type TypedAnswer, toAnswer } from "../typed-answer.ts";
import { isTooLarge, type WaitingRequest } from "../waiting-requests.ts";
import { type Key, type KeyResult, noAction, type ScreenOf, type ShownScreen } from "./key-result.ts";
import { selectedSession, type TopView } from "./top-view.ts";

/** A request that has been visible for less is not answered. */
export const MIN_VISIBLE_MS = 300;

/** Handles a key that may answer the current request. */
export function pressAnswer(view: TopView, { text, isPasted }: Key, shown: ShownScreen): KeyResult {
  if (!/^[yaAdDr1-9]$/.test(text)) return noAction(view);
  const refuse = (note: string): KeyResult => noAction({ ...view, note });
  if (isPasted === true) return refuse("Pasted text is not an answer.");
  const { current } = view;
  if (current !== null && current.endedMs !== null) return refuse("That request is no longer waiting.");
  if (current === null) return refuse("It has no request to answer here.");
  const { drawn } = shown;
  const isDrawn = drawn !== null && drawn.request.id === current.requestId;
  if (!isDrawn || selectedSession(shown.rows, view)?.sessionId !== current.sessionId)
    return refuse("The request is not on screen yet. Review it, then answer.");
  if (drawn.forMs < MIN_VISIBLE_MS) return refuse("The request just arrived. Review it, then answer.");
  const { request } = drawn;
  const { card } = request;
  const why = terminalOnlyReason(request);
  if (card === null || why !== null)
    return refuse(`Answer this in the terminal: ${why} Press t to go there.`);
  // Keep the row in place while its request is being answered.
  const selected = { ...view, selected: request.sessionId };
  if (card.status === "lost")
    return text === "r"
      ? { view: selected, action: { type: "again", request } }
      : noAction({ ...selected, note: "Press r to ask again." });
  if (drawn.isEndSeen && !drawn.isDrawn)
    return refuse("The request is off screen. Press ↵ or Home to show it, then answer.");
  if (!drawn.isEndSeen)
    return refuse("You have not seen all of it. Press ↵ to show it in full, then answer.");
  return pressAnswerKey(selected, text, request);
}

/** Handles a key that answers a request that has been read. */
function pressAnswerKey(view: TopView, text: string, request: WaitingRequest): KeyResult {
  const { kind } = request.card!;
  const type = (what: "deny" | "reply", initial = ""): KeyResult =>
    noAction({ ...view, screen: { type: "typing", what, text: initial, requestId: request.id } });
  if (text === ANSWER_KEYS.deny)
    return { view, action: { type: "answer", request, answer: { decision: "deny" } } };
  if (text === ANSWER_KEYS.denyWhy) return type("deny");
  if (isTooLarge(request))
    return noAction({ ...view, note: "This request is too large to show, so it can only be denied." });
  if (kind === "question") {
    if (/[ya]/i.test(text))
      return noAction({ ...view, note: "This is a question: press 1-9, or r to type an answer." });
    if (text === "r") return type("reply");
    const picked = pickOption(request.card!, Number(text));
    return picked.type === "partial" ? type("reply", picked.text) : answered(view, request, picked);
  }
  if (text === "r") return type("deny");
  const { allowOnce, allowExact, allowTool } = ANSWER_KEYS;
  const isAllowing = text === allowOnce || text === allowExact || text === allowTool;
  return isAllowing ? answered(view, request, toAnswer(request.card!, text)) : noAction(view);
}

/** Handles a key while a line is typed. */
export function pressTyping(
  view: TopView,
  screen: ScreenOf<"typing">,
  key: Key,
  { drawn }: ShownScreen,
): KeyResult {
  const { what, text, requestId } = screen;
  const list = { ...view, screen: { type: "list" } } as const;
  if (key.name === "escape") return noAction(what === "filter" ? { ...list, filter: "" } : list);
  if (key.name === "backspace" || key.name === "char") {
    const next = key.name === "char" ? text + cleanText(key.text) : [...text].slice(0, -1).join("");
    const filter = what === "filter" ? { filter: next } : {};
    return noAction({ ...view, ...filter, screen: { ...screen, text: next } });
  }
  if (key.name !== "enter") return noAction(view);
  if (what === "filter") return noAction({ ...list, filter: oneLine(text) });
  // The text is for the request that was shown when typing started.
  if (drawn === null || drawn.request.id !== requestId || view.current?.requestId !== requestId)
    return noAction({ ...list, note: "That request is no longer waiting. Nothing was answered." });
  const { request } = drawn;
  if (what === "reply") return answered(list, request, toAnswer(request.card!, text));
  const message = text.trim();
  const answer: CardAnswer = message === "" ? { decision: "deny" } : { decision: "deny", message };
  return { view: list, action: { type: "answer", request, answer } };
}

function answered(view: TopView, request: WaitingRequest, typedAnswer: TypedAnswer): KeyResult {
  if (typedAnswer.type === "unclear") return noAction({ ...view, note: `To answer: ${typedAnswer.how}.` });
  return { view, action: { type: "answer", request, answer: typedAnswer.answer } };
}

/** Pasted input arrives as one text. */
function cleanText(text: string): string {
  return oneLine(`|${text}|`).slice(1, -1);
}
