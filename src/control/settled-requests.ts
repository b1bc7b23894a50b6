import { asObject, text } from "../agents/read-json.ts";
import type { HooklineEvent } from "../event/event.ts";
import type { Card } from "./control-contract.ts";
import { foldCards } from "./driven-cards.ts";
import type { Envelope } from "./envelope.ts";

/** Settled requests, from recorded events: a late answer learns who was first. */
export function foldSettledCards(events: readonly HooklineEvent[]): Card[] {
  const cards: Card[] = [];
  for (const [sessionId, sessionEvents] of Map.groupBy(events, (event) => event.sessionId)) {
    const { projectPath, cwd } = sessionEvents[0]!;
    const place = { projectPath, cwd: cwd ?? projectPath ?? "/" };
    // Written by us, in the format of this or an earlier version.
    const envelopes = sessionEvents.flatMap(({ envelope }) =>
      envelope === undefined ? [] : [envelope as Envelope],
    );
    cards.push(
      ...foldCards(sessionId, place, envelopes).values(),
      ...foldTerminalCards(sessionEvents).values(),
    );
  }
  return cards.filter(({ settled }) => settled !== null);
}

/** Released without an answer: it may still be pending in its terminal. */
const RELEASED: ReadonlySet<unknown> = new Set(["timeout", "cancelled", "stopped"]);

/** Terminal requests: as asked, then how they ended. */
function foldTerminalCards(events: readonly HooklineEvent[]): Map<string, Card> {
  const cards = new Map<string, Card>();
  for (const event of events) {
    const recorded = asObject(event["card"]);
    const id = text(recorded, "cardId");
    if (id === undefined || RELEASED.has(recorded["by"])) continue;
    const card = cards.get(id) ?? toTerminalCard(event, id, recorded);
    cards.set(
      id,
      event.phase === "asked" ? card : { ...card, status: "settled", settled: toSettled(event, recorded) },
    );
  }
  return cards;
}

function toTerminalCard(event: HooklineEvent, id: string, card: Readonly<Record<string, unknown>>): Card {
  const { sessionId, projectPath, cwd, occurredAtIso } = event;
  const orNull = (key: string): string | null => text(card, key) ?? null;
  return {
    id,
    sessionId,
    source: "terminal",
    kind: (orNull("kind") ?? "permission") as Card["kind"],
    toolName: orNull("toolName") ?? "",
    toolUseId: null,
    input: asObject(card["input"]),
    questions: [],
    plan: null,
    reason: orNull("reason"),
    rule: orNull("rule"),
    agentId: orNull("agentId"),
    agentType: orNull("agentType"),
    projectPath,
    cwd,
    sinceIso: orNull("sinceIso") ?? occurredAtIso,
    untilIso: orNull("untilIso"),
    status: "terminal",
    whyTerminal: null,
    inputBytes: 0,
    settled: null,
  };
}

function toSettled(event: HooklineEvent, card: Readonly<Record<string, unknown>>): Card["settled"] {
  const { outcome = "withdrawn", by = "terminal" } = card as Partial<NonNullable<Card["settled"]>>;
  const [who, rule] = [text(card, "who") ?? null, text(card, "rule") ?? null];
  return { outcome, by, who, rule, atIso: event.occurredAtIso };
}
