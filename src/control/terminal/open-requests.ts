import type { PermissionReply } from "../../agents/answer-format.ts";
import type { Card, CardAnswer } from "../control-contract.ts";
import type { SettledBy } from "../envelope.ts";
import { settledEvent } from "./card-told.ts";
import { type HeldRequest, isEqual, toReleased } from "./held-request.ts";
import type { HoldOptions } from "./holds.ts";
import type { SettledCards } from "./settled-cards.ts";

/** The requests that are not settled: those that can be answered here, and those that only their terminal can answer. */
export interface OpenRequests {
  add(held: HeldRequest): void;
  get(cardId: string): HeldRequest | undefined;
  /** The oldest first. */
  all(): Iterable<HeldRequest>;
  /** The others that cannot be told from this one. */
  equalTo(held: HeldRequest): readonly HeldRequest[];
  /** `given`: what goes back to the hook; null when it was answered elsewhere. */
  settle(held: HeldRequest, by: SettledBy, given: Given | null): Card;
  /** It still waits, in its terminal alone. Does nothing where that is so already. */
  leaveToTerminal(held: HeldRequest, by: "timeout" | "cancelled" | "stopped"): void;
  leaveAllIfOff(): void;
  forgetOld(): void;
  /** Gives everything back to the terminals. */
  close(): void;
}

interface Given {
  readonly outcome: string;
  readonly reply: PermissionReply;
  readonly answer?: CardAnswer;
}

const KEPT_MS = 10 * 60_000;
const MAX_OPEN = 500;

export function createOpenRequests(
  options: Pick<HoldOptions, "isOn" | "isRecorded" | "nowMs" | "note" | "onChange">,
  settled: SettledCards,
): OpenRequests {
  const { nowMs } = options;
  const open = new Map<string, HeldRequest>();
  const nowIso = (): string => new Date(nowMs()).toISOString();

  const leaveToTerminal: OpenRequests["leaveToTerminal"] = (held, by) => {
    if (held.card.status !== "pending") return;
    const how = { outcome: "withdrawn", by, who: null, rule: null, atIso: nowIso() };
    options.note(settledEvent({ ...held.card, settled: how }, held.request.promptId, undefined));
    held.card = toReleased(held.card);
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
      [...open.values()].filter((other) => other.card.id !== held.card.id && isEqual(other, held)),
    settle(held, by, given) {
      const { answer } = given ?? {};
      const wasHeld = held.card.status === "pending";
      held.card = toSettled(held.card, by, given, nowIso());
      held.overTimer.stop();
      open.delete(held.card.id);
      settled.add(held, answer?.commandId);
      held.release(given && { permission: given.reply });
      if (wasHeld) options.note(settledEvent(held.card, held.request.promptId, answer));
      options.onChange(held.card);
      return held.card;
    },
    leaveToTerminal,
    leaveAllIfOff() {
      if (open.size === 0 || options.isOn()) return;
      for (const held of open.values()) leaveToTerminal(held, "cancelled");
    },
    forgetOld() {
      const from = new Date(nowMs() - KEPT_MS).toISOString();
      settled.forgetBefore(from);
      for (const [id, held] of open) {
        if (held.card.status !== "terminal") continue;
        if (open.size > MAX_OPEN) open.delete(id);
        else if (held.card.sinceIso < from) void forgetUnrecorded(id, held);
      }
    },
    close() {
      for (const held of open.values()) leaveToTerminal(held, "stopped");
      for (const { overTimer } of open.values()) overTimer.stop();
      open.clear();
    },
  };
}

const EXACT = "session: allowed exactly";

function toSettled(card: Card, by: SettledBy, given: Given | null, atIso: string): Card {
  const how = {
    outcome: given?.outcome ?? "withdrawn",
    by,
    who: given?.answer?.who ?? null,
    rule: by === "rule" ? EXACT : null,
    atIso,
  };
  return { ...withoutLarge(card), status: "settled", settled: how };
}

const MAX_KEPT_BYTES = 16 * 1024;

/** What is settled is only looked up. */
function withoutLarge(card: Card): Card {
  return card.inputBytes > MAX_KEPT_BYTES ? { ...card, input: {}, plan: null, questions: [] } : card;
}
