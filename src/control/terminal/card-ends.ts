import { redactEvent } from "../../capture/redact-event.ts";
import { canonicalJson } from "../../event/canonical.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card } from "../control-contract.ts";
import type { SettledBy } from "../envelope.ts";
import type { TerminalRequest } from "./card-request.ts";

/**
 * Whether an event tells that a request no longer waits, and why. Nothing from before the card counts: the same call
 * may have run a moment ago.
 */
export function endOf(
  card: Card,
  promptId: string | null,
  input: string,
  event: HooklineEvent,
): SettledBy | null {
  if (event.sessionId !== card.sessionId || event.occurredAtIso < card.sinceIso) return null;
  const isOwnAgent = (event.agentId ?? null) === card.agentId;
  switch (event.eventType) {
    case "tool_observation":
      return isOwnAgent && isOwnCall(card, input, event) ? "terminal" : null;
    case "turn.end":
    case "turn.failed":
      return isOwnAgent && card.agentId === null ? "terminal" : null;
    case "turn.start":
      return card.agentId === null && promptId !== null && isOtherPrompt(event, promptId) ? "terminal" : null;
    case "subagent.lifecycle":
      return event.phase === "stopped" && card.agentId !== null && isOwnAgent ? "ended" : null;
    case "session.lifecycle":
      return event.phase === "ended" ? "ended" : null;
    case "session.evidence":
      return event.phase === "gone" ? "ended" : null;
    default:
      return null;
  }
}

/** Whether an event begins a call that looks like the card's. */
export function startsSameCall(card: Card, input: string, event: HooklineEvent): boolean {
  return (
    event.eventType === "tool.start" &&
    event.sessionId === card.sessionId &&
    (event.agentId ?? null) === card.agentId &&
    isOwnCall(card, input, event)
  );
}

/** The input of a request as an event of its call will tell it: masked, cut and in order. */
export function inputInLog({ toolName, input }: TerminalRequest): string {
  const { payload } = redactEvent({ payload: { toolName, toolInput: input } } as unknown as HooklineEvent);
  return canonicalJson(payload?.toolInput);
}

function isOwnCall({ toolName, kind }: Card, input: string, { payload, origin }: HooklineEvent): boolean {
  if (payload?.toolName !== toolName) return false;
  // The answer becomes a part of a question's input.
  if (kind !== "permission") return true;
  // Of a private turn nobody is told the input; of a call told before, the batch does not repeat it.
  if (payload.toolInput == null) return origin !== "batch";
  return canonicalJson(payload.toolInput) === input;
}

/** What a person types while a tool waits joins the turn: only a turn of its own ends the asking. */
function isOtherPrompt(event: HooklineEvent, promptId: string): boolean {
  return event.promptId != null && event.promptId !== promptId && event["machine"] !== true;
}
