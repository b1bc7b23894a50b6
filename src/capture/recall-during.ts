import type { PromptReader } from "../agents/prompt-reader.ts";
import type { NewEvent } from "../event/event.ts";
import {
  NOTHING_RECALLED,
  type PromptMemory,
  type Recalled,
  type RecallQuery,
  recallQuery,
} from "./recall.ts";

export interface RecallOptions {
  /** What earlier runs knew of what comes together. Left out where there were none: then nothing is to be prepared. */
  readonly recall?: (asked: RecallQuery) => Promise<Recalled>;
  /** Grows when something is forgotten: what was recalled before is asked for again. */
  readonly timesForgotten?: () => number;
  /** The id of the call whose end a prompt that a machine wrote reports. */
  readonly reportedCall?: PromptReader["reportedCall"];
}

/** What earlier runs know of the events that are being accepted, for as long as the work on them runs. */
export interface Recalling {
  /** Asks for all but the prompts that are `known`, then runs `work`, with nothing between the answer and it. */
  during<T>(
    events: readonly NewEvent[],
    known: ReadonlyMap<string, PromptMemory>,
    work: () => T,
  ): Promise<Awaited<T>>;
  /** Throws for what nobody asked about: it must not pass for what is not private. */
  now(promptId?: string): Recalled;
}

export function createRecalling(options: RecallOptions): Recalling {
  const { recall, timesForgotten = () => 0, reportedCall } = options;
  /** While work that was prepared runs, with the prompts that were asked about. */
  let recalled: (Recalled & { readonly promptIds: ReadonlySet<string> }) | null = null;

  return {
    async during<T>(
      events: readonly NewEvent[],
      known: ReadonlyMap<string, PromptMemory>,
      work: () => T,
    ): Promise<Awaited<T>> {
      const isKnown = (promptId: string): boolean => known.has(promptId);
      for (;;) {
        const asOf = timesForgotten();
        const query = recallQuery(events, { isKnown, reportedCall });
        const found = recall === undefined ? NOTHING_RECALLED : await recall(query);
        if (timesForgotten() !== asOf) continue;
        recalled = {
          ...found,
          prompts: new Map([...known, ...found.prompts]),
          promptIds: new Set([...known.keys(), ...query.promptIds]),
        };
        let result: T;
        try {
          result = work();
        } finally {
          recalled = null;
        }
        return await result;
      }
    },
    now(promptId) {
      if (recall === undefined) return NOTHING_RECALLED;
      if (recalled === null || (promptId !== undefined && !recalled.promptIds.has(promptId)))
        throw new Error("an event is accepted that was not prepared");
      return recalled;
    },
  };
}
