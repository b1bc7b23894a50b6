import { redactEvent } from "../../capture/redact-event.ts";
import { canonicalJson } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import type { TerminalRequest } from "./terminal-request.ts";

/** Whether an event is about a call that looks like the card's. */
export function isSameCall(card: Card, input: string, event: HooklineEvent): boolean {
  return (
    event.sessionId === card.sessionId &&
    (event.agentId ?? null) === card.agentId &&
    event.payload?.toolName === card.toolName &&
    isSameInput(card, input, event)
  );
}

/** A request's input as an event of its call will contain it: masked, cut and sorted. */
export function loggedInput({ toolName, input }: TerminalRequest): string {
  const { payload } = redactEvent({ payload: { toolName, toolInput: input } } as unknown as HooklineEvent);
  return canonicalJson(payload?.toolInput);
}

function isSameInput({ kind }: Card, input: string, { payload, origin }: HooklineEvent): boolean {
  // The answer becomes part of a question's input.
  if (kind !== "permission") return true;
  // Events of a private turn have no input; a batch does not repeat the input of a call reported before.
  if (payload?.toolInput == null) return origin !== "batch";
  return canonicalJson(payload.toolInput) === input;
}
