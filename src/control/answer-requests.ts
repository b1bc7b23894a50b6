import { AppError } from "../app-error.ts";
import { askAgainText } from "./ask-again.ts";
import type { Card, CardAnswer, DrivenSession, StartRequest } from "./control-contract.ts";
import { cardsOf, type DrivenParts } from "./driven-queries.ts";
import { isOver } from "./driven-state.ts";
import { findSession, unknownSession } from "./find-session.ts";
import { sendTo } from "./session-acts.ts";
import { toSettlement } from "./settle-answer.ts";

export async function answerRequest(
  parts: Pick<DrivenParts, "live" | "journals">,
  sessionId: string,
  requestId: string,
  given: CardAnswer,
): Promise<Card> {
  const { driver, journal } = await findSession(parts, sessionId);
  const request = driver.state().pending.get(requestId);
  const over = async () => (await cardsOf(sessionId, journal)).get(requestId);
  if (request === undefined) throw isNotPending(await over());
  const settlement = toSettlement(request, given);
  const { scope } = settlement;
  const rule = scope === null ? null : driver.rules.add(request.tool, request.input, scope);
  driver.take({ type: "answer", requestId, answer: { ...settlement, rule } });
  return (await over())!;
}

export interface AskAgainParts extends DrivenParts {
  readonly start: (request: StartRequest) => Promise<DrivenSession>;
  /** Called when a request is no longer lost. */
  readonly onCards: ((sessionId: string) => void) | undefined;
}

/** Has a session make a lost request again; one that does not run is resumed. */
export async function askRequestAgain(
  { live, journals, lost, recovered, start, onCards }: AskAgainParts,
  sessionId: string,
  requestId: string,
  request: Partial<StartRequest>,
): Promise<DrivenSession> {
  await recovered;
  const found = await journals.find(sessionId, async (journal) => ({
    place: journal.place(),
    cards: await cardsOf(sessionId, journal),
  }));
  if (found === undefined) throw unknownSession(sessionId);
  const again = askAgainText(found.cards.get(requestId), requestId);
  const prompt = request.prompt === undefined ? again : `${request.prompt}\n\n${again}`;
  const session = live.get(sessionId);
  const isOpen = session !== undefined && !isOver(session.driver.state());
  if (isOpen) sendTo(session, { text: prompt, images: [], interrupt: false });
  const { mode = "default", addDirs = [], cwd = found.place.cwd } = request;
  const resumed = { ...request, mode, addDirs, cwd, resume: sessionId, fork: false, prompt };
  const told = isOpen ? session.toSession() : await start(resumed);
  if (lost.delete(sessionId, requestId)) onCards?.(sessionId);
  return told;
}

function isNotPending(card: Card | undefined): AppError {
  const { settled } = card ?? {};
  if (settled == null) return new AppError("not_pending", "There is no such request waiting.");
  const who = settled.who === null ? "" : ` by ${settled.who}`;
  return new AppError("not_pending", `It was settled before: ${settled.outcome}${who} at ${settled.atIso}.`);
}
