import type { PermissionReply } from "../../agents/answer-format.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { SettledBy } from "../envelope.ts";
import { settledEvent } from "./card-events.ts";
import { type HeldRequest, isSameRequest, toReleasedCard } from "./held-request.ts";
import type { HoldOptions } from "./holds.ts";
import type { SettledCards } from "./settled-cards.ts";

/** Unsettled requests: those that can be answered here, and those that only their terminal can answer. */
export interface OpenRequests {
  add(held: HeldRequest): void;
  get(cardId: string): HeldRequest | undefined;
  /** Oldest first. */
  all(): Iterable<HeldRequest>;
  /** The others that cannot be told apart from this one. */
  equalTo(held: HeldRequest): readonly HeldRequest[];
  /** `given`: the reply to the hook; null if it was answered elsewhere. */
  settle(held: HeldRequest, by: SettledBy, settledAnswer: SettledAnswer | null): Card;
  /** Leaves it pending in its terminal only. No effect if that is already so. */
  leaveToTerminal(held: HeldRequest, by: "timeout" | "cancelled" | "stopped"): void;
  leaveAllIfOff(): void;
  forgetOld(): void;
  /** Returns all requests to their terminals. */
  close(): void;
}

interface SettledAnswer {
  readonly outcome: string;
  readonly reply: PermissionReply;
  readonly answer?: CardAnswer;
}

const RETENTION_MS = 10 * 60_000;
const MAX_OPEN = 500;

export function createOpenRequests(
  options: Pick<HoldOptions, "isOn" | "isRecorded" | "nowMs" | "record" | "onChange">,
  settled: SettledCards,
): OpenRequests {
  const { nowMs } = options;
  const open = new Map<string, HeldRequest>();
  const nowIso = (): string => new Date(nowMs()).toISOString();

  const leaveToTerminal: OpenRequests["leaveToTerminal"] = (held, by) => {
    if (held.card.status !== "pending") return;
    const settlement = { outcome: "withdrawn", by, who: null, rule: null, atIso: nowIso() };
    options.record(settledEvent({ ...held.card, settled: settlement }, held.request.promptId, undefined));
    held.card = toReleasedCard(held.card);
    held.release(null);
    options.onChange(held.card);
  };

  const forgetUnrecorded = async (id: string, held: HeldRequest): Promise<void> => {
    if (!(await options.isRecorded(id)) && open.get(id) === held) open.delete(id);
  };

  return {
    add: (held) => void open.set(held.card.id, held),
    get: (cardId) => open.get(cardId),
    all: () => open.values(),
    equalTo: (held) =>
      [...open.values()].filter((other) => other.card.id !== held.card.id && isSameRequest(other, held)),
    settle(held, by, settledAnswer) {
      const { answer } = settledAnswer ?? {};
      const wasHeld = held.card.status === "pending";
      held.card = toSettled(held.card, by, settledAnswer, nowIso());
      held.settleTimer.stop();
      open.delete(held.card.id);
      settled.add(held, answer?.commandId);
      held.release(settledAnswer && { permission: settledAnswer.reply });
      if (wasHeld) options.record(settledEvent(held.card, held.request.promptId, answer));
      options.onChange(held.card);
      return held.card;
    },
    leaveToTerminal,
    leaveAllIfOff() {
      if (open.size === 0 || options.isOn()) return;
      for (const held of open.values()) leaveToTerminal(held, "cancelled");
    },
    forgetOld() {
      const cutoffIso = new Date(nowMs() - RETENTION_MS).toISOString();
      settled.forgetBefore(cutoffIso);
      for (const [id, held] of open) {
        if (held.card.status !== "terminal") continue;
        if (open.size > MAX_OPEN) open.delete(id);
        else if (held.card.sinceIso < cutoffIso) void forgetUnrecorded(id, held);
      }
    },
    close() {
      for (const held of open.values()) leaveToTerminal(held, "stopped");
      for (const { settleTimer } of open.values()) settleTimer.stop();
      open.clear();
    },
  };
}

const EXACT_RULE = "session: allowed exactly";

function toSettled(card: Card, by: SettledBy, settledAnswer: SettledAnswer | null, atIso: string): Card {
  const settlement = {
    outcome: settledAnswer?.outcome ?? "withdrawn",
    by,
    who: settledAnswer?.answer?.who ?? null,
    rule: by === "rule" ? EXACT_RULE : null,
    atIso,
  };
  return { ...withoutLargeFields(card), status: "settled", settled: settlement };
}

const MAX_RETAINED_BYTES = 16 * 1024;

/** Drops large fields: a settled card is only looked up. */
function withoutLargeFields(card: Card): Card {
  return card.inputBytes > MAX_RETAINED_BYTES ? { ...card, input: {}, plan: null, questions: [] } : card;
}
