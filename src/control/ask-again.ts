import { textOfCall } from "../agents/tool-call.ts";
import { AppError } from "../app-error.ts";
import type { Card } from "./control-contract.ts";
import type { Envelope } from "./envelope.ts";

/** Builds the prompt that asks an agent to repeat a lost request. Throws if the request was answered. */
export function toAskAgainPrompt(card: Card | undefined, requestId: string): string {
  if (card === undefined) throw new AppError("card_unknown", `Request ${requestId} not found.`);
  if (card.status !== "lost" && card.settled?.by !== "ended")
    throw new AppError("not_lost", `Request ${requestId} was not lost.`);
  const what = card.kind === "question" ? "questions" : `request to use ${card.toolName}`;
  const texts =
    card.kind === "question"
      ? textOfCall({ toolName: card.toolName, toolKind: card.kind, toolInput: card.input })
      : "";
  const excerpt = (texts === "" ? JSON.stringify(card.input) : texts).slice(0, 500);
  return `Your ${what} could not be answered, because the program that shows it ended: ${excerpt}\nIf it is still needed, ask again now.`;
}

/** Whether the agent was asked to repeat a request. Doesn't count if the session ended before it replied. */
export function wasAskedAgain(envelopes: Iterable<Envelope>, requestId: string): boolean {
  let status: "no" | "sent" | "replied" = "no";
  for (const envelope of envelopes) {
    if (envelope.type === "user" && envelope.asksAgain === requestId) status = "sent";
    else if (status !== "sent") continue;
    else if (REPLIES.has(envelope.type)) status = "replied";
    else if (envelope.type === "state" && envelope.state === "closed") status = "no";
  }
  return status !== "no";
}

const REPLIES: ReadonlySet<string> = new Set(["result", "permission.request", "question.request"]);
