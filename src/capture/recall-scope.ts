import type { PromptReader } from "../agents/prompt-reader.ts";
import type { NewEvent } from "../event/event.ts";
import {
  EMPTY_RECALL,
  type KnownPrompt,
  type RecallQuery,
  type RecallResult,
  toRecallQuery,
} from "./recall.ts";

export interface RecallOptions {
  /** What earlier runs know of a batch. Omit if there were none: then nothing needs `prepare`. */
  readonly recall?: (query: RecallQuery) => Promise<RecallResult>;
  /** Increases when something is forgotten, so that earlier results are queried again. */
  readonly forgetCount?: () => number;
  /** The id of the call whose end a machine-written prompt reports. */
  readonly reportedCall?: PromptReader["reportedCall"];
}

/** What earlier runs know of the events being accepted, valid while the work on them runs. */
export interface RecallScope {
  /** Queries everything but the `known` prompts, then runs `work` with nothing between the answer and it. */
  run<T>(
    events: readonly NewEvent[],
    known: ReadonlyMap<string, KnownPrompt>,
    work: () => T,
  ): Promise<Awaited<T>>;
  /** Throws for a prompt that was not queried: it must not be mistaken for one that is not private. */
  current(promptId?: string): RecallResult;
}

export function createRecallScope(options: RecallOptions): RecallScope {
  const { recall, forgetCount = () => 0, reportedCall } = options;
  /** Set while prepared work runs, with the prompts that were queried. */
  let recalled: (RecallResult & { readonly promptIds: ReadonlySet<string> }) | null = null;

  return {
    async run<T>(
      events: readonly NewEvent[],
      known: ReadonlyMap<string, KnownPrompt>,
      work: () => T,
    ): Promise<Awaited<T>> {
      const isKnown = (promptId: string): boolean => known.has(promptId);
      for (;;) {
        const countBefore = forgetCount();
        const query = toRecallQuery(events, { isKnown, reportedCall });
        const found = recall === undefined ? EMPTY_RECALL : await recall(query);
        if (forgetCount() !== countBefore) continue;
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
    current(promptId) {
      if (recall === undefined) return EMPTY_RECALL;
      if (recalled === null || (promptId !== undefined && !recalled.promptIds.has(promptId)))
        throw new Error("an event was accepted that was not prepared");
      return recalled;
    },
  };
}
