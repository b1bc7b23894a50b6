import type { HookReply, PermissionReply } from "../../agents/answer-format.ts";
import { AppError } from "../../app-error.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { SessionSnapshot } from "../../monitor/session-snapshot.ts";
import { MAX_SHOWN_BYTES } from "../../shown/show-request.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { SettledBy } from "../envelope.ts";
import { giveAnswer } from "./card-answer.ts";
import { inputInLog } from "./card-ends.ts";
import { createAllowances } from "./card-exact.ts";
import { createDenials } from "./card-overruled.ts";
import { readRequest, type TerminalRequest, toCard, toTooLarge } from "./card-request.ts";
import { askedEvent, overruledEvent, settledEvent, whySettled } from "./card-told.ts";
import { holdHook } from "./hold-hook.ts";
import type { HoldHow, HoldOptions, Holds } from "./holds.ts";

interface Held {
  card: Card;
  readonly request: TerminalRequest;
  readonly input: string;
  /** Runs while it looks over. */
  goneTimer: NodeJS.Timeout | undefined;
  /** Its hook has ended; whether this or an equal request was answered is not known yet. */
  isHookGone: boolean;
  /** Lets the hook go; nothing once it is gone. */
  release(reply: HookReply | null): void;
}

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 200;
const MAX_OPEN = 500;
/** Shorter beginnings of an id are typing mistakes more often than ids. */
const MIN_START = 4;
/** A page that was told of a request has drawn it by then. */
const DRAWN_MS = 2_500;
/** A background agent's terminal shows no dialog while its request is held. */
const BACKGROUND_MS = 15_000;
/** A hook counts its time from its own start, which a busy machine may be late to tell of. */
const LEEWAY_MS = 2_000;
/** What looks over for a moment may be a status that was on its way. */
const GONE_MS = 300;

export function createHolds(options: HoldOptions): Holds {
  const { nowMs, viewers } = options;
  const open = new Map<string, Held>();
  /** Settled, with the command that did it: the same command again gets the same answer. */
  const settled = new Map<string, { readonly card: Card; readonly commandId: string | undefined }>();
  const allowances = createAllowances();
  const denials = createDenials();
  let isClosed = false;

  const settle = (
    held: Held,
    by: SettledBy,
    given: { outcome: string; reply: PermissionReply; answer?: CardAnswer } | null,
  ): Card => {
    const { answer } = given ?? {};
    const how = {
      outcome: given?.outcome ?? "withdrawn",
      by,
      who: answer?.who ?? null,
      rule: by === "rule" ? EXACT : null,
      atIso: new Date(nowMs()).toISOString(),
    };
    const wasHeld = held.card.status === "pending";
    held.card = { ...withoutLarge(held.card), status: "settled", settled: how };
    clearTimeout(held.goneTimer);
    open.delete(held.card.id);
    settled.set(held.card.id, { card: held.card, commandId: answer?.commandId });
    held.release(given && { permission: given.reply });
    if (wasHeld) options.note(settledEvent(held.card, held.request.promptId, answer));
    if (how.outcome === "deny") denials.add({ ...held, promptId: held.request.promptId });
    options.onChange(held.card);
    return held.card;
  };

  /** It still waits, in its terminal alone. */
  const leaveToTerminal = (held: Held, by: "timeout" | "cancelled" | "stopped"): void => {
    if (held.card.status !== "pending") return;
    const atIso = new Date(nowMs()).toISOString();
    const how = { outcome: "withdrawn", by, who: null, rule: null, atIso };
    options.note(settledEvent({ ...held.card, settled: how }, held.request.promptId, undefined));
    held.card = { ...held.card, status: "terminal", whyTerminal: "released", untilIso: null };
    held.release(null);
    options.onChange(held.card);
  };

  const equalTo = (held: Held): Held[] => {
    const { sessionId, agentId, toolName } = held.card;
    return [...open.values()].filter(
      ({ card, input }) =>
        card.id !== held.card.id &&
        card.sessionId === sessionId &&
        card.agentId === agentId &&
        card.toolName === toolName &&
        input === held.input,
    );
  };

  /** Which of several equal requests their terminal answered, nobody can tell: it decides the others, too. */
  const leaveEqual = (held: Held): void => {
    for (const other of equalTo(held)) leaveToTerminal(other, "cancelled");
  };

  /** As far as the monitor knows it: it counts only for what was recorded. */
  const isUnlisted = ({ card: { id, sessionId } }: Held): boolean => {
    const session = options.session(sessionId);
    return open.has(id) && session !== undefined && !isWaiting(session, id);
  };

  /** Asks first: what it then says of the monitor is of that very moment. */
  const looksOver = async (held: Held): Promise<boolean> =>
    isUnlisted(held) && (await options.isRecorded(held.card.id)) && isUnlisted(held);

  /**
   * The end of a hook and the end of its call tell of the same answer. Of equal requests the call may have ended
   * another one: then that is the one that is over, and this one waits.
   */
  const endHook = async (held: Held): Promise<void> => {
    const over = await Promise.all(equalTo(held).map(looksOver));
    // It may have been settled while the store was asked.
    if (held.card.status !== "pending") return;
    if (over.includes(true)) leaveToTerminal(held, "cancelled");
    else settle(held, "terminal", null);
  };

  /** Settles a request that was recorded and that the monitor no longer lists. */
  const checkWaits = async (held: Held): Promise<void> => {
    held.goneTimer = undefined;
    const { sessionId, agentId } = held.card;
    const isGone = await looksOver(held);
    const session = options.session(sessionId);
    if (session === undefined || !isGone) return;
    const isOver = session.state === "completed" || session.state === "lost";
    const isAgentOver = session.subagents.some((one) => one.agentId === agentId && !one.isRunning);
    settle(held, isOver || isAgentOver ? "ended" : "terminal", null);
    leaveEqual(held);
  };

  const overrule = (event: HooklineEvent): void => {
    const denied = denials.overruledBy(event);
    if (denied === undefined) return;
    const atIso = event.occurredAtIso;
    const how = { outcome: "withdrawn", by: "terminal", who: null, rule: null, atIso } as const;
    const card = { ...denied.card, settled: how };
    if (settled.has(card.id)) settled.set(card.id, { card, commandId: undefined });
    options.note(overruledEvent(card, denied.promptId));
    options.onChange(card);
  };

  const forgetOld = (): void => {
    const from = new Date(nowMs() - KEPT_MS).toISOString();
    for (const [id, { card }] of settled)
      if (settled.size > MAX_KEPT || card.settled!.atIso < from) settled.delete(id);
    for (const [id, held] of open) {
      if (held.card.status !== "terminal") continue;
      if (open.size > MAX_OPEN) open.delete(id);
      else if (held.card.sinceIso < from) void forgetUnrecorded(id, held);
    }
  };

  const forgetUnrecorded = async (id: string, held: Held): Promise<void> => {
    if (!(await options.isRecorded(id)) && open.get(id) === held) open.delete(id);
  };

  const add = (request: TerminalRequest, how: HoldHow, id: string, untilMs: number): Held => {
    const { reason = null, rule = null } = how;
    const projectPath = options.projectOf(request.cwd);
    const held: Held = {
      goneTimer: undefined,
      isHookGone: false,
      card: toCard(request, { id, projectPath, reason, rule, sinceMs: how.arrivedMs ?? nowMs(), untilMs }),
      request,
      input: inputInLog(request),
      release: () => undefined,
    };
    forgetOld();
    open.set(id, held);
    // It may be over by the time it comes here.
    held.goneTimer = setTimeout(() => void checkWaits(held), GONE_MS);
    return held;
  };

  /** Its terminal still shows the dialog: the hook was ended by something else than an answer. */
  const isAskedThere = ({ card }: Held): boolean =>
    card.agentId === null &&
    options.session(card.sessionId)?.evidence.some(({ source }) => source === "registry") === true;

  const wait = (held: Held, { signal }: HoldHow, isBackground: boolean): Promise<HookReply | null> => {
    const untilMs = Date.parse(held.card.untilIso!);
    const sinceMs = nowMs();
    const isSeen = (): boolean => {
      const { id, sessionId } = held.card;
      return nowMs() - sinceMs < DRAWN_MS ? viewers.watch(sessionId) : viewers.show(id);
    };
    const hook = holdHook({
      forMs: untilMs - sinceMs,
      signal,
      onTimeout: () => leaveToTerminal(held, "timeout"),
      onGone() {
        if (held.card.status !== "pending") return;
        if (untilMs - nowMs() < LEEWAY_MS) leaveToTerminal(held, "timeout");
        else if (isAskedThere(held)) leaveToTerminal(held, "cancelled");
        else if (equalTo(held).length === 0) settle(held, "terminal", null);
        else {
          held.isHookGone = true;
          setTimeout(() => void endHook(held), GONE_MS);
        }
      },
      onLook() {
        leaveAllIfOff();
        if (isBackground && !isSeen()) leaveToTerminal(held, "cancelled");
      },
    });
    held.release = hook.release;
    return hook.answered;
  };

  const leaveAllIfOff = (): void => {
    if (open.size === 0 || options.isOn()) return;
    for (const held of open.values()) leaveToTerminal(held, "cancelled");
  };

  /** One that was answered a moment ago is still asked for by the letters that a list showed of it. */
  const settledBeginning = (start: string): Card | undefined => {
    const ids = [...open.keys(), ...settled.keys()].filter((id) => id.startsWith(start));
    return start.length < MIN_START || ids.length !== 1 ? undefined : settled.get(ids[0]!)?.card;
  };

  return {
    async hold(ask, how) {
      const request = readRequest(ask);
      const { requestId, attended, signal } = how;
      if (isClosed || request === null || requestId === null || signal.aborted) return null;
      if (options.isDriven(request.sessionId) || open.has(requestId) || settled.has(requestId)) return null;
      const isHeadless = attended === false;
      const isAllowed = allowances.has(request);
      if (isHeadless && !options.headless && !isAllowed) return null;
      const isBackground = request.agentId !== null && !isHeadless;
      const mostMs = Math.min(
        options.holdMs,
        Math.max(0, (how.waitMs ?? Number.POSITIVE_INFINITY) - LEEWAY_MS),
      );
      const holdMs = isBackground ? Math.min(mostMs, BACKGROUND_MS) : mostMs;
      const held = add(request, how, requestId, (how.arrivedMs ?? nowMs()) + holdMs);
      const { projectPath, cwd, sinceIso, inputBytes } = held.card;
      // Who wants nothing recorded of a project has it answered in its terminal.
      if (!isAllowed && !options.mayRecord({ projectPath, cwd, occurredAtIso: sinceIso })) {
        clearTimeout(held.goneTimer);
        open.delete(requestId);
        return null;
      }
      const isTooLarge = inputBytes > MAX_SHOWN_BYTES;
      if (isTooLarge) held.card = toTooLarge(held.card);
      else if (isBackground && !viewers.watch(request.sessionId) && !isAllowed)
        held.card = { ...held.card, status: "terminal", whyTerminal: "released", untilIso: null };
      if (held.card.status === "terminal") {
        options.onChange(held.card);
        return null;
      }
      options.note(askedEvent(held.card, request.promptId, isBackground || isHeadless));
      const answered = wait(held, how, isBackground);
      if (isAllowed) settle(held, "rule", { outcome: "allow", reply: { behavior: "allow" } });
      else options.onChange(held.card);
      return answered;
    },
    answer(cardId, answer) {
      leaveAllIfOff();
      const held = open.get(cardId);
      const done = settled.get(cardId);
      if (done?.commandId !== undefined && done.commandId === answer.commandId) return done.card;
      if (done !== undefined) throw new AppError("not_pending", whySettled(done.card));
      if (held === undefined) throw new AppError("card_unknown", `There is no request ${cardId}.`);
      if (held.card.status !== "pending") throw new AppError("not_pending", whySettled(held.card));
      if (held.isHookGone) throw new AppError("not_pending", "It was answered in the terminal just now.");
      const given = giveAnswer(held.card, answer);
      if (given.outcome === "allowAll" && answer.scope !== "tool") allowances.allow(held.request);
      return settle(held, "user", { ...given, answer });
    },
    cards() {
      leaveAllIfOff();
      forgetOld();
      return [...open.values()].map(({ card }) => card);
    },
    get(cardId) {
      leaveAllIfOff();
      return open.get(cardId)?.card ?? settled.get(cardId)?.card ?? settledBeginning(cardId);
    },
    told(events) {
      for (const event of events) {
        overrule(event);
        const recorded = open.get(event.id);
        if (recorded !== undefined)
          recorded.goneTimer ??= setTimeout(() => void checkWaits(recorded), GONE_MS);
        allowances.heard(event);
      }
    },
    unrecorded: (event) => allowances.heard(event),
    sessionChanged(session) {
      for (const held of open.values()) {
        if (held.card.sessionId !== session.sessionId) continue;
        if (isWaiting(session, held.card.id)) {
          clearTimeout(held.goneTimer);
          held.goneTimer = undefined;
        } else held.goneTimer ??= setTimeout(() => void checkWaits(held), GONE_MS);
      }
    },
    close() {
      isClosed = true;
      for (const held of open.values()) {
        clearTimeout(held.goneTimer);
        leaveToTerminal(held, "stopped");
      }
      open.clear();
    },
  };
}

function isWaiting({ requests }: Pick<SessionSnapshot, "requests">, id: string): boolean {
  return requests.some(({ requestId }) => requestId === id);
}

const MAX_KEPT_BYTES = 16 * 1024;

/** What is settled is only looked up. */
function withoutLarge(card: Card): Card {
  return card.inputBytes > MAX_KEPT_BYTES ? { ...card, input: {}, plan: null, questions: [] } : card;
}

const EXACT = "session: allowed exactly";
