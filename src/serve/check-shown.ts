import { AppError } from "../app-error.ts";
import type { Card, CardAnswer } from "../control/control-contract.ts";
import { hashShown, MAX_SHOWN_BYTES, showRequest } from "../shown/show-request.ts";

/**
 * Refuses an answer to anything but what its client rendered: the client hashes what stands on its screen, and that must
 * be the request that waits under this id. What is too large to be rendered can only be denied.
 */
export async function checkShown(card: Card, { shown, decision }: CardAnswer): Promise<void> {
  // What is settled is not answered again: whoever keeps it says so.
  if (card.status !== "pending") return;
  if (card.inputBytes > MAX_SHOWN_BYTES && decision !== "deny")
    throw new AppError("too_large", "This request is too large to show here, so it can only be denied here.");
  if (shown === undefined)
    throw new AppError("shown_missing", "`shown` is missing: the hash of the request as it was rendered.");
  if (shown !== (await hashShown(showRequest(card))))
    throw new AppError(
      "shown_mismatch",
      "What was on the screen is not the request that waits. Nothing was answered: look at it again.",
    );
}

/** As clients get it: what nobody can show is left out. */
export function toShownCard(card: Card): Card {
  if (card.inputBytes <= MAX_SHOWN_BYTES) return card;
  return { ...card, input: {}, questions: [], plan: null };
}
