import type { HooklineEvent } from "../event/event.ts";
import type { MemoryRows } from "../store/memory-rows.ts";
import { promptOf, textOf } from "./fact-words.ts";
import { callsBeside, type Words, wordsAround } from "./turn-words.ts";

/** What was said in a turn, around a time. */
export interface TurnSaid {
  readonly words: ReadonlyMap<string, Words>;
  /** By message, the calls whose words it may change. */
  readonly callsBeside: ReadonlyMap<string, readonly string[]>;
  readonly prompt: string | null;
  readonly branch: string | null;
  readonly isOver: boolean;
}

export const NOTHING_SAID: TurnSaid = {
  words: new Map(),
  callsBeside: new Map(),
  prompt: null,
  branch: null,
  isOver: false,
};

export type TurnEvent = HooklineEvent & { readonly promptId: string };

export function isOfTurn(event: HooklineEvent): event is TurnEvent {
  return event.promptId != null;
}

/** What was said around an event of a turn. */
export type SaidAround = (event: TurnEvent) => Promise<TurnSaid>;

/** A turn may have thousands of messages: of these around a call the nearest are enough. */
const NEAR_MS = 10 * 60_000;
const MOST_MESSAGES = 1_000;

/** For the entries of one step, which are often of one turn: what is read for one of them serves all. */
export function openSaidAround(rows: MemoryRows): SaidAround {
  const known = new Map<string, TurnSaid>();
  return async ({ sessionId, promptId, occurredAtIso }) => {
    const slot = Math.floor(Date.parse(occurredAtIso) / NEAR_MS);
    const key = `${sessionId}\n${promptId}\n${slot}`;
    let said = known.get(key);
    if (said === undefined) {
      const turn = { sessionId, promptId };
      const messages = await rows.turnFacts({
        ...turn,
        types: ["assistant.message"],
        sinceIso: new Date((slot - 1) * NEAR_MS).toISOString(),
        untilIso: new Date((slot + 2) * NEAR_MS).toISOString(),
        limit: MOST_MESSAGES,
      });
      const types = ["turn.start", "turn.end", "turn.failed"];
      said = toSaid(messages, await rows.turnFacts({ ...turn, types, limit: 20 }));
      known.set(key, said);
    }
    return said;
  };
}

function toSaid(messages: readonly HooklineEvent[], others: readonly HooklineEvent[]): TurnSaid {
  return {
    words: wordsAround(messages),
    callsBeside: callsBeside(messages),
    prompt: promptOf(others),
    branch:
      messages.map((message) => textOf(message["gitBranch"])).findLast((branch) => branch !== null) ?? null,
    isOver: others.some(({ eventType, agentId }) => eventType !== "turn.start" && agentId == null),
  };
}
