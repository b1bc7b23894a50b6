import { AppError } from "../app-error.ts";
import type { Card, CardAnswer } from "../control/control-contract.ts";
import { hashShown, MAX_SHOWN_BYTES, showRequest } from "../shown/show-request.ts";

/**
 * Rejects an answer to anything but what the client rendered: the client hashes what is on its screen, and the hash
 * must match the pending request with this id. A request too large to render can only be denied.
 */
export async function checkRendered(card: Card, { shown, decision }: CardAnswer): Promise<void> {
  // A settled request is not answered again: its owner reports that.
  if (card.status !== "pending") return;
  if (card.inputBytes > MAX_SHOWN_BYTES && decision !== "deny")
    throw new AppError("too_large", "This request is too large to show here. Here you can only deny it.");
  if (shown === undefined)
    throw new AppError("shown_missing", "`shown` is missing: the hash of the request as it was rendered.");
  if (shown !== (await hashShown(showRequest(card))))
    throw new AppError("shown_mismatch", "The request changed, so nothing was answered. Read it again.");
}

/** The card as clients get it, without what no client can render. */
export function toClientCard(card: Card): Card {
  if (card.inputBytes <= MAX_SHOWN_BYTES) return card;
  return { ...card, input: {}, questions: [], plan: null };
}
