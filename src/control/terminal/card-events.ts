import { controlCardEvent } from "../../event/control-events.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { Card, CardAnswer } from "../control-contract.ts";

/** Records that a request was offered to other clients. */
export function askedEvent(card: Card, promptId: string | null, blocking: boolean): HooklineEvent {
  const { kind, toolName, input, reason, rule, agentId, agentType, untilIso } = card;
  const cardFields = {
    cardId: card.id,
    kind,
    toolName,
    input,
    reason,
    rule,
    agentId,
    agentType,
    untilIso,
    blocking,
  };
  return withPromptId(controlCardEvent(baseOf(card, card.sinceIso), "asked", cardFields), promptId);
}

/** Records how, when and by whom it was settled; with the content only if it was answered here. */
export function settledEvent(
  card: Card,
  promptId: string | null,
  answer: CardAnswer | undefined,
): HooklineEvent {
  const { outcome, by, who, rule, atIso } = card.settled!;
  const { scope, message, interrupt, updatedInput, answers, response, mode } = answer ?? {};
  const answerFields = { scope, message, interrupt, updatedInput, answers, response, mode };
  const presentFields = Object.fromEntries(
    Object.entries(answerFields).filter(([, value]) => value !== undefined),
  );
  const { kind, toolName, sinceIso } = card;
  const fields = { cardId: card.id, kind, toolName, sinceIso, outcome, by, who, rule, ...presentFields };
  return withPromptId(controlCardEvent(baseOf(card, atIso), "settled", fields), promptId);
}

/** Records that a hold ended with an earlier daemon: the terminal's own dialog decides. */
export function abandonedEvent(asked: HooklineEvent, atIso: string): HooklineEvent {
  const { sessionId, projectPath, cwd, promptId } = asked;
  const { cardId, kind, toolName } = asked["card"] as { cardId: string; kind: unknown; toolName: unknown };
  const fields = {
    cardId,
    kind,
    toolName,
    sinceIso: asked.occurredAtIso,
    outcome: "withdrawn",
    by: "stopped",
  };
  const event = controlCardEvent({ sessionId, projectPath, cwd, occurredAtIso: atIso }, "settled", fields);
  return withPromptId(event, promptId ?? null);
}

/** Records that the terminal answered before the denial given here. */
export function overruledEvent(card: Card, promptId: string | null): HooklineEvent {
  const { kind, toolName, settled } = card;
  const fields = { cardId: card.id, kind, toolName, outcome: settled!.outcome, by: settled!.by };
  return withPromptId(controlCardEvent(baseOf(card, settled!.atIso), "overruled", fields), promptId);
}

/** Why a card can no longer be answered, for a client that tries. */
export function whyNotPending({ settled, status, whyTerminal }: Card): string {
  if (status === "terminal")
    return whyTerminal === "too_large"
      ? "This request is too large to show here. Answer it in the terminal."
      : "The time to answer here ran out. Answer it in the terminal.";
  if (settled === null) return "This request no longer exists.";
  const { by, who, outcome, atIso } = settled;
  switch (by) {
    case "user":
      return `Already answered by ${who ?? "someone"} (${outcome}) at ${atIso}.`;
    case "rule":
      return `Already allowed by a rule of this session at ${atIso}.`;
    case "terminal":
      return `Already answered in the terminal at ${atIso}.`;
    case "timeout":
      return `The time to answer here ran out at ${atIso}. Answer it in the terminal.`;
    case "ended":
      return `The session or its agent ended at ${atIso}.`;
    case "cancelled":
      return `Left to the terminal at ${atIso}, because no page was open.`;
    default:
      return `No longer waiting since ${atIso} (${by}).`;
  }
}

function baseOf({ sessionId, projectPath, cwd }: Card, occurredAtIso: string) {
  return { sessionId, projectPath, cwd, occurredAtIso };
}

/** Adds the turn's id, so that events of a private turn are stored without content. */
function withPromptId(event: HooklineEvent, promptId: string | null): HooklineEvent {
  return promptId === null ? event : { ...event, promptId };
}
