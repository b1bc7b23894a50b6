import { AppError } from "../app-error.ts";
import { toAskAgainPrompt, wasAskedAgain } from "./ask-again.ts";
import type { Card, CardAnswer, DrivenSession, StartRequest } from "./control-contract.ts";
import { foldCards } from "./driven-cards.ts";
import { type DrivenParts, readCards } from "./driven-queries.ts";
import { isOver } from "./driven-state.ts";
import { findSession, unknownSession } from "./find-session.ts";
import { describePastSession, foldPastSession } from "./past-session.ts";
import { sendMessage } from "./session-actions.ts";
import { toSettlement } from "./settle-answer.ts";

export async function answerRequest(
  parts: Pick<DrivenParts, "live" | "journals">,
  sessionId: string,
  requestId: string,
  answer: CardAnswer,
): Promise<Card> {
  const { driver, journal } = await findSession(parts, sessionId);
  const request = driver.state().pending.get(requestId);
  const settledCard = async () => (await readCards(sessionId, journal)).get(requestId);
  if (request === undefined) throw notPendingError(await settledCard());
  const settlement = toSettlement(request, answer);
  const { scope } = settlement;
  const rule = scope === null ? null : driver.rules.add(request.tool, request.input, scope);
  driver.dispatch({ type: "answer", requestId, answer: { ...settlement, rule } });
  return (await settledCard())!;
}

export interface AskAgainParts extends DrivenParts {
  /** `asksAgain` is the lost request that the prompt asks the agent to repeat. */
  readonly start: (request: StartRequest, asksAgain?: string) => Promise<DrivenSession>;
  /** Called when a request is no longer lost. */
  readonly onCards: ((sessionId: string) => void) | undefined;
}

/** Makes a session repeat a lost request, once; a session that is not running is resumed. */
export async function askRequestAgain(
  { live, journals, lost, recovered, start, onCards }: AskAgainParts,
  sessionId: string,
  requestId: string,
  request: Partial<StartRequest>,
): Promise<DrivenSession> {
  await recovered;
  const found = await journals.find(sessionId, async (journal) => ({
    place: journal.location(),
    envelopes: await journal.read(0),
  }));
  if (found === undefined) throw unknownSession(sessionId);
  const { place, envelopes } = found;
  const askAgainPrompt = toAskAgainPrompt(foldCards(sessionId, place, envelopes).get(requestId), requestId);
  const prompt = request.prompt === undefined ? askAgainPrompt : `${request.prompt}\n\n${askAgainPrompt}`;
  const session = live.get(sessionId);
  if (wasAskedAgain(envelopes, requestId))
    return session?.toSession() ?? describePastSession(sessionId, place, foldPastSession(envelopes));
  const isOpen = session !== undefined && !isOver(session.driver.state());
  if (isOpen) sendMessage(session, { text: prompt, images: [], interrupt: false }, requestId);
  const { mode = "default", addDirs = [], cwd = place.cwd } = request;
  const resumed = { ...request, mode, addDirs, cwd, resume: sessionId, fork: false, prompt };
  const resumedSession = isOpen ? session.toSession() : await start(resumed, requestId);
  if (lost.delete(sessionId, requestId)) onCards?.(sessionId);
  return resumedSession;
}

function notPendingError(card: Card | undefined): AppError {
  const { settled } = card ?? {};
  if (settled == null) return new AppError("not_pending", "There is no such request waiting.");
  const who = settled.who === null ? "" : ` by ${settled.who}`;
  return new AppError("not_pending", `Already answered: ${settled.outcome}${who} at ${settled.atIso}.`);
}
