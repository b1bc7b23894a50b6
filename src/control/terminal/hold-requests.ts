import { AppError } from "../../app-error.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import { createAllowances } from "./allowances.ts";
import { whyNotPending } from "./card-events.ts";
import { toCardReply } from "./card-reply.ts";
import type { HoldOptions, Holds } from "./holds.ts";
import { createOpenRequests } from "./open-requests.ts";
import { createSettledCards } from "./settled-cards.ts";
import { type HoldParts, startHold } from "./start-hold.ts";
import { createEndWatch } from "./watch-ends.ts";

export function createHolds(options: HoldOptions): Holds {
  const settled = createSettledCards(options);
  const requests = createOpenRequests(options, settled);
  const ends = createEndWatch(options, requests);
  const allowances = createAllowances();
  const parts: HoldParts = { options, requests, settled, allowances, ends };
  let isClosed = false;
  return {
    hold: (ask, how) => (isClosed ? Promise.resolve(null) : startHold(parts, ask, how)),
    answer(cardId, answer) {
      requests.leaveAllIfOff();
      return answerHeld(parts, cardId, answer);
    },
    cards() {
      requests.leaveAllIfOff();
      requests.forgetOld();
      return [...requests.all()].map(({ card }) => card);
    },
    get(cardId) {
      requests.leaveAllIfOff();
      return requests.get(cardId)?.card ?? settled.get(cardId)?.card ?? findSettledByPrefix(parts, cardId);
    },
    onEvents(events) {
      for (const event of events) {
        settled.onEvent(event);
        const recorded = requests.get(event.id);
        if (recorded !== undefined) ends.checkSoon(recorded);
        allowances.onEvent(event);
      }
    },
    onUnrecorded: (event) => allowances.onEvent(event),
    sessionChanged: ends.sessionChanged,
    close() {
      isClosed = true;
      requests.close();
    },
  };
}

function answerHeld({ requests, settled, allowances }: HoldParts, cardId: string, answer: CardAnswer): Card {
  const held = requests.get(cardId);
  const settledCard = settled.get(cardId);
  if (settledCard?.commandId !== undefined && settledCard.commandId === answer.commandId)
    return settledCard.card;
  if (settledCard !== undefined) throw new AppError("not_pending", whyNotPending(settledCard.card));
  if (held === undefined) throw new AppError("card_unknown", `Request ${cardId} not found.`);
  if (held.card.status !== "pending") throw new AppError("not_pending", whyNotPending(held.card));
  if (held.hasHookEnded) throw new AppError("not_pending", "It was just answered in the terminal.");
  const reply = toCardReply(held.card, answer, held.request.toolForm);
  if (reply.outcome === "allowAll" && answer.scope !== "tool") allowances.allow(held.request);
  return requests.settle(held, "user", { ...reply, answer });
}

/** Shorter prefixes of an id are more often typos than ids. */
const MIN_PREFIX_CHARS = 4;

/** A request that was just answered can still be found by the prefix that a list showed. */
function findSettledByPrefix({ requests, settled }: HoldParts, prefix: string): Card | undefined {
  if (prefix.length < MIN_PREFIX_CHARS) return undefined;
  const open = [...requests.all()].map(({ card }) => card.id);
  const ids = [...open, ...settled.ids()].filter((id) => id.startsWith(prefix));
  return ids.length === 1 ? settled.get(ids[0]!)?.card : undefined;
}
