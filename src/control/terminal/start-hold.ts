import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import { MAX_SHOWN_BYTES } from "../../shown/show-request.ts";
import type { Allowances } from "./card-exact.ts";
import { readRequest, toTooLarge } from "./card-request.ts";
import { askedEvent } from "./card-told.ts";
import { createHeldRequest, type HeldRequest, toReleased } from "./held-request.ts";
import { holdHook } from "./hold-hook.ts";
import { holdTimeMs } from "./hold-time.ts";
import type { HoldHow, HoldOptions } from "./holds.ts";
import type { OpenRequests } from "./open-requests.ts";
import type { SettledCards } from "./settled-cards.ts";
import type { EndWatch } from "./watch-ends.ts";

export interface HoldParts {
  readonly options: HoldOptions;
  readonly requests: OpenRequests;
  readonly settled: SettledCards;
  readonly allowances: Allowances;
  readonly ends: EndWatch;
}

/** Holds a request until somebody answers; null when its terminal is to decide alone. */
export async function startHold(
  parts: HoldParts,
  ask: HookAsk | null,
  how: HoldHow,
): Promise<HookReply | null> {
  const { options, requests, settled, allowances, ends } = parts;
  const request = readRequest(ask);
  const { requestId: id, reason = null, rule = null } = how;
  if (request === null || id === null || how.signal.aborted || options.isDriven(request.sessionId))
    return null;
  if (requests.get(id) !== undefined || settled.get(id) !== undefined) return null;
  const isHeadless = how.attended === false;
  const isAllowed = allowances.has(request);
  if (isHeadless && !options.headless && !isAllowed) return null;
  requests.forgetOld();
  const isBackground = request.agentId !== null && !isHeadless;
  const projectPath = options.projectOf(request.cwd);
  const sinceMs = how.arrivedMs ?? options.nowMs();
  const untilMs = sinceMs + holdTimeMs(how, options.holdMs, isBackground);
  const held = createHeldRequest(request, { id, projectPath, reason, rule, sinceMs, untilMs });
  const { cwd, sinceIso, inputBytes, sessionId } = held.card;
  // Who wants nothing recorded of a project has it answered in its terminal.
  if (!isAllowed && !options.mayRecord({ projectPath, cwd, occurredAtIso: sinceIso })) return null;
  if (inputBytes > MAX_SHOWN_BYTES) held.card = toTooLarge(held.card);
  else if (isBackground && !options.viewers.watch(sessionId) && !isAllowed) held.card = toReleased(held.card);
  requests.add(held);
  // It may be over by the time it comes here.
  ends.checkSoon(held);
  if (held.card.status === "terminal") {
    options.onChange(held.card);
    return null;
  }
  options.note(askedEvent(held.card, request.promptId, isBackground || isHeadless));
  const answered = waitForAnswer(parts, held, how.signal, isBackground);
  if (isAllowed) requests.settle(held, "rule", { outcome: "allow", reply: { behavior: "allow" } });
  else options.onChange(held.card);
  return answered;
}

/** A page that was told of a request has drawn it by then. */
const DRAWN_MS = 2_500;

function waitForAnswer(
  { options: { nowMs, viewers }, requests, ends }: HoldParts,
  held: HeldRequest,
  signal: AbortSignal,
  isBackground: boolean,
): Promise<HookReply | null> {
  const { id, sessionId, untilIso } = held.card;
  const sinceMs = nowMs();
  const isSeen = (): boolean => (nowMs() - sinceMs < DRAWN_MS ? viewers.watch(sessionId) : viewers.show(id));
  const hook = holdHook({
    forMs: Date.parse(untilIso!) - sinceMs,
    signal,
    onTimeout: () => requests.leaveToTerminal(held, "timeout"),
    onGone: () => ends.hookGone(held),
    onLook() {
      requests.leaveAllIfOff();
      if (isBackground && !isSeen()) requests.leaveToTerminal(held, "cancelled");
    },
  });
  held.release = hook.release;
  return hook.answered;
}
