import { redactEvent } from "../../capture/redact-event.ts";
import { canonicalJson } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import type { TerminalRequest } from "./card-request.ts";

/** Whether an event tells of a call that looks like the card's. */
export function isSameCall(card: Card, input: string, event: HooklineEvent): boolean {
  return (
    event.sessionId === card.sessionId &&
    (event.agentId ?? null) === card.agentId &&
    event.payload?.toolName === card.toolName &&
    isSameInput(card, input, event)
  );
}

/** The input of a request as an event of its call will tell it: masked, cut and in order. */
export function inputInLog({ toolName, input }: TerminalRequest): string {
  const { payload } = redactEvent({ payload: { toolName, toolInput: input } } as unknown as HooklineEvent);
  return canonicalJson(payload?.toolInput);
}

function isSameInput({ kind }: Card, input: string, { payload, origin }: HooklineEvent): boolean {
  // The answer becomes a part of a question's input.
  if (kind !== "permission") return true;
  // Of a private turn nobody is told the input; of a call told before, the batch does not repeat it.
  if (payload?.toolInput == null) return origin !== "batch";
  return canonicalJson(payload.toolInput) === input;
}
