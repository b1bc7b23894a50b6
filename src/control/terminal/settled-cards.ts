import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import { createDenials } from "./card-overruled.ts";
import { overruledEvent } from "./card-told.ts";
import type { HeldRequest } from "./held-request.ts";
import type { HoldOptions } from "./holds.ts";

/** Recently settled requests: anyone who answers late learns what became of theirs. */
export interface SettledCards {
  /** `commandId`: of the command that settled it, which gets the same answer when it is repeated. */
  add(held: HeldRequest, commandId: string | undefined): void;
  get(cardId: string): SettledCard | undefined;
  ids(): readonly string[];
  /** A recorded event may show that a denial came too late. */
  told(event: HooklineEvent): void;
  forgetBefore(iso: string): void;
}

export interface SettledCard {
  readonly card: Card;
  readonly commandId: string | undefined;
}

const MAX_KEPT = 200;

export function createSettledCards({ note, onChange }: Pick<HoldOptions, "note" | "onChange">): SettledCards {
  const settled = new Map<string, SettledCard>();
  const denials = createDenials();
  return {
    add({ card, input, request: { promptId } }, commandId) {
      settled.set(card.id, { card, commandId });
      if (card.settled!.outcome === "deny") denials.add({ card, input, promptId });
    },
    get: (cardId) => settled.get(cardId),
    ids: () => [...settled.keys()],
    told(event) {
      const denied = denials.overruledBy(event);
      if (denied === undefined) return;
      const atIso = event.occurredAtIso;
      const how = { outcome: "withdrawn", by: "terminal", who: null, rule: null, atIso } as const;
      const card = { ...denied.card, settled: how };
      if (settled.has(card.id)) settled.set(card.id, { card, commandId: undefined });
      note(overruledEvent(card, denied.promptId));
      onChange(card);
    },
    forgetBefore(iso) {
      for (const [id, { card }] of settled)
        if (settled.size > MAX_KEPT || card.settled!.atIso < iso) settled.delete(id);
    },
  };
}
