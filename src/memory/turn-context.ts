import type { HooklineEvent } from "../event/event.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { promptOf, textOf } from "./fact-text.ts";
import { callsNearMessages, type SurroundingText, textAroundCalls } from "./surrounding-text.ts";

/** The text of a turn around a given time. */
export interface TurnContext {
  readonly surroundingText: ReadonlyMap<string, SurroundingText>;
  /** By message, the calls whose surrounding text it may change. */
  readonly nearbyCalls: ReadonlyMap<string, readonly string[]>;
  readonly prompt: string | null;
  readonly branch: string | null;
  readonly isOver: boolean;
}

export const EMPTY_TURN_CONTEXT: TurnContext = {
  surroundingText: new Map(),
  nearbyCalls: new Map(),
  prompt: null,
  branch: null,
  isOver: false,
};

export type TurnEvent = HooklineEvent & { readonly promptId: string };

export function isTurnEvent(event: HooklineEvent): event is TurnEvent {
  return event.promptId != null;
}

/** Reads the context around an event of a turn. */
export type ReadTurnContext = (event: TurnEvent) => Promise<TurnContext>;

/** A turn may have thousands of messages; only those nearest to a call matter. */
const NEAR_MS = 10 * 60_000;
const MAX_MESSAGES = 1_000;

/** For one step, whose entries often belong to one turn: they share what is read. */
export function createTurnContextReader(rows: MemoryRows): ReadTurnContext {
  const contexts = new Map<string, TurnContext>();
  return async ({ sessionId, promptId, occurredAtIso }) => {
    const timeSlot = Math.floor(Date.parse(occurredAtIso) / NEAR_MS);
    const key = `${sessionId}\n${promptId}\n${timeSlot}`;
    let context = contexts.get(key);
    if (context === undefined) {
      const turn = { sessionId, promptId };
      const messages = await rows.turnFacts({
        ...turn,
        types: ["assistant.message"],
        sinceIso: new Date((timeSlot - 1) * NEAR_MS).toISOString(),
        untilIso: new Date((timeSlot + 2) * NEAR_MS).toISOString(),
        limit: MAX_MESSAGES,
      });
      const types = ["turn.start", "turn.end", "turn.failed"];
      context = toTurnContext(messages, await rows.turnFacts({ ...turn, types, limit: 20 }));
      contexts.set(key, context);
    }
    return context;
  };
}

function toTurnContext(messages: readonly HooklineEvent[], others: readonly HooklineEvent[]): TurnContext {
  return {
    surroundingText: textAroundCalls(messages),
    nearbyCalls: callsNearMessages(messages),
    prompt: promptOf(others),
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    isOver: others.some(({ eventType, agentId }) => eventType !== "turn.start" && agentId == null),
  };
}
