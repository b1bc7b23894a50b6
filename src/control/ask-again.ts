import { textOfCall } from "../agents/tool-call.ts";
import { AppError } from "../app-error.ts";
import type { Card } from "./control-contract.ts";

/** What an agent is told of a request that nobody could answer. Refused for one that somebody did. */
export function askAgainText(card: Card | undefined, requestId: string): string {
  if (card === undefined) throw new AppError("card_unknown", `There is no request ${requestId}.`);
  if (card.status !== "lost" && card.settled?.by !== "ended")
    throw new AppError("not_lost", `The request ${requestId} was not lost.`);
  const what = card.kind === "question" ? "questions" : `request to use ${card.toolName}`;
  const texts =
    card.kind === "question"
      ? textOfCall({ toolName: card.toolName, toolKind: card.kind, toolInput: card.input })
      : "";
  const shown = (texts === "" ? JSON.stringify(card.input) : texts).slice(0, 500);
  return `Your ${what} could not be answered, because the program that shows it ended: ${shown}\nIf it is still needed, ask again now.`;
}
