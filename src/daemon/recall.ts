import type { RecallQuery, RecallResult } from "../capture/recall.ts";
import type { HooklineEvent } from "../event/event.ts";
import { type CallIdentity, callFactId, callKey, factId } from "../event/ids.ts";
import { containsForgotten, type DatedGuard } from "../privacy/forgotten-text.ts";
import type { Store } from "../store/store.ts";

/** What capture must know about earlier records: what is private, and what was forgotten. */
export interface Recall {
  ask(query: RecallQuery): Promise<RecallResult>;
  /** Increases whenever something is forgotten. */
  timesForgotten(): number;
  /** Whether a text was forgotten. Only valid after `load`. */
  isForgotten(text: string): boolean;
  /** Called with events that the store has just applied. */
  applied(events: readonly HooklineEvent[]): void;
  load(): Promise<void>;
}

export function createRecall(use: <T>(work: (store: Store) => Promise<T>) => Promise<T>): Recall {
  let forgetCount = 0;
  let guards: readonly DatedGuard[] = [];
  const load = async (): Promise<void> => {
    const tombstones = await use((store) => store.forgetting.tombstones({ factIds: [], sessionIds: [] }));
    guards = tombstones?.guards() ?? [];
  };
  return {
    async ask({ promptIds, calls, factIds, sessionIds }) {
      const [prompts, hiddenCalls, tombstones] = await Promise.all([
        use((store) => store.facts.prompts(promptIds)),
        use((store) => hiddenCallKeys(store, calls)),
        use((store) => store.forgetting.tombstones({ factIds, sessionIds })),
      ]);
      return { prompts, hiddenCalls, tombstones };
    },
    timesForgotten: () => forgetCount,
    isForgotten: (text) => containsForgotten(guards, text),
    applied(events) {
      for (const event of events) {
        if (event.eventType !== "memory.forgotten") continue;
        forgetCount++;
        if (event["guard"] !== undefined)
          guards = [...guards, { ...(event["guard"] as Omit<DatedGuard, "at">), at: event.occurredAtIso }];
      }
    },
    load,
  };
}

async function hiddenCallKeys(store: Store, calls: readonly CallIdentity[]): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return new Set();
  const hidden = await store.facts.privateFacts(calls.flatMap(idsOf));
  return new Set(calls.filter((call) => idsOf(call).some((id) => hidden.has(id))).map(callKey));
}

function idsOf(call: CallIdentity): string[] {
  return (
    (["start", "end"] as const)
      // The second is the id from before ids were scoped to their session.
      .flatMap((phase) => [callFactId(call, phase), factId("tool", call.toolUseId, phase)])
  );
}
