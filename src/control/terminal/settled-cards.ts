import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import { overruledEvent } from "./card-events.ts";
import { createDenials } from "./denials.ts";
import type { HeldRequest } from "./held-request.ts";
import type { HoldOptions } from "./holds.ts";

/** Recently settled requests, so that a late answer learns the outcome. */
export interface SettledCards {
  /** `commandId`: the command that settled it, which gets the same result when repeated. */
  add(held: HeldRequest, commandId: string | undefined): void;
  get(cardId: string): SettledCard | undefined;
  ids(): readonly string[];
  /** A recorded event may show that a denial came too late. */
  onEvent(event: HooklineEvent): void;
  forgetBefore(iso: string): void;
}

export interface SettledCard {
  readonly card: Card;
  readonly commandId: string | undefined;
}

const MAX_SETTLED = 200;

export function createSettledCards({
  record,
  onChange,
}: Pick<HoldOptions, "record" | "onChange">): SettledCards {
  const settled = new Map<string, SettledCard>();
  const denials = createDenials();
  return {
    add({ card, input, request: { promptId } }, commandId) {
      settled.set(card.id, { card, commandId });
      if (card.settled!.outcome === "deny") denials.add({ card, input, promptId });
    },
    get: (cardId) => settled.get(cardId),
    ids: () => [...settled.keys()],
    onEvent(event) {
      const denial = denials.overruledBy(event);
      if (denial === undefined) return;
      const atIso = event.occurredAtIso;
      const settlement = { outcome: "withdrawn", by: "terminal", who: null, rule: null, atIso } as const;
      const card = { ...denial.card, settled: settlement };
      if (settled.has(card.id)) settled.set(card.id, { card, commandId: undefined });
      record(overruledEvent(card, denial.promptId));
      onChange(card);
    },
    forgetBefore(iso) {
      for (const [id, { card }] of settled)
        if (settled.size > MAX_SETTLED || card.settled!.atIso < iso) settled.delete(id);
    },
  };
}
