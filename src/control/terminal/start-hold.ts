import type { HookAsk, HookReply } from "../../agents/answer-format.ts";
import { MAX_SHOWN_BYTES } from "../../shown/show-request.ts";
import type { Allowances } from "./allowances.ts";
import { askedEvent } from "./card-events.ts";
import { createHeldRequest, type HeldRequest, toReleasedCard } from "./held-request.ts";
import { holdHook } from "./hold-hook.ts";
import { holdTimeMs } from "./hold-time.ts";
import type { HoldDetails, HoldOptions } from "./holds.ts";
import type { OpenRequests } from "./open-requests.ts";
import type { SettledCards } from "./settled-cards.ts";
import { readTerminalRequest, toTooLargeCard } from "./terminal-request.ts";
import type { EndWatch } from "./watch-ends.ts";

export interface HoldParts {
  readonly options: HoldOptions;
  readonly requests: OpenRequests;
  readonly settled: SettledCards;
  readonly allowances: Allowances;
  readonly ends: EndWatch;
}

/** Holds a request until a person answers; null if only its terminal decides. */
export async function startHold(
  parts: HoldParts,
  ask: HookAsk | null,
  details: HoldDetails,
): Promise<HookReply | null> {
  const { options, requests, settled, allowances, ends } = parts;
  const request = readTerminalRequest(ask);
  const { requestId: id, reason = null, rule = null } = details;
  if (request === null || id === null || details.signal.aborted || options.isDriven(request.sessionId))
    return null;
  if (requests.get(id) !== undefined || settled.get(id) !== undefined) return null;
  const isHeadless = details.attended === false;
  const isAllowed = allowances.has(request);
  if (isHeadless && !options.headless && !isAllowed) return null;
  requests.forgetOld();
  const isBackground = request.agentId !== null && !isHeadless;
  const projectPath = options.projectOf(request.cwd);
  const sinceMs = details.arrivedMs ?? options.nowMs();
  const untilMs = sinceMs + holdTimeMs(details, options.holdMs, isBackground);
  const held = createHeldRequest(request, { id, projectPath, reason, rule, sinceMs, untilMs });
  const { cwd, sinceIso, inputBytes, sessionId } = held.card;
  // A project that must not be recorded is answered in its terminal only.
  if (!isAllowed && !options.mayRecord({ projectPath, cwd, occurredAtIso: sinceIso })) return null;
  if (inputBytes > MAX_SHOWN_BYTES) held.card = toTooLargeCard(held.card);
  else if (isBackground && !options.viewers.isWatching(sessionId) && !isAllowed)
    held.card = toReleasedCard(held.card);
  requests.add(held);
  // The request may be over by the time it arrives here.
  ends.checkSoon(held);
  if (held.card.status === "terminal") {
    options.onChange(held.card);
    return null;
  }
  options.record(askedEvent(held.card, request.promptId, isBackground || isHeadless));
  const answered = waitForAnswer(parts, held, details.signal, isBackground);
  if (isAllowed) requests.settle(held, "rule", { outcome: "allow", reply: { behavior: "allow" } });
  else options.onChange(held.card);
  return answered;
}

/** By then, a notified page has rendered the request. */
const RENDER_GRACE_MS = 2_500;

function waitForAnswer(
  { options: { nowMs, viewers }, requests, ends }: HoldParts,
  held: HeldRequest,
  signal: AbortSignal,
  isBackground: boolean,
): Promise<HookReply | null> {
  const { id, sessionId, untilIso } = held.card;
  const sinceMs = nowMs();
  const isVisible = (): boolean =>
    nowMs() - sinceMs < RENDER_GRACE_MS ? viewers.isWatching(sessionId) : viewers.isShowing(id);
  const hook = holdHook({
    timeoutMs: Date.parse(untilIso!) - sinceMs,
    signal,
    onTimeout: () => requests.leaveToTerminal(held, "timeout"),
    onHookEnd: () => ends.hookEnded(held),
    onPoll() {
      requests.leaveAllIfOff();
      if (isBackground && !isVisible()) requests.leaveToTerminal(held, "cancelled");
    },
  });
  held.release = hook.release;
  return hook.answered;
}
