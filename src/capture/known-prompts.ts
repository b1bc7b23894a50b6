import type { NewEvent } from "../event/event.ts";
import { addHidden, type HiddenTurns } from "./hidden-turns.ts";
import type { KnownPrompt } from "./recall.ts";
import type { RecallScope } from "./recall-scope.ts";

/** What this run knows of each prompt; the rest is recalled from the store. */
export interface KnownPrompts {
  get(promptId: string): KnownPrompt;
  has(promptId: string): boolean;
  set(promptId: string, known: KnownPrompt): void;
  /** A copy of what is known of these events' prompts, because entries may be evicted during the query. */
  forEvents(events: readonly NewEvent[]): Map<string, KnownPrompt>;
}

const UNKNOWN_PROMPT: KnownPrompt = { eventIds: [], isPrivate: false, slashCommand: undefined };
const MAX_PROMPTS = 10_000;

export function createKnownPrompts(hidden: HiddenTurns, recallScope: RecallScope): KnownPrompts {
  const prompts = new Map<string, KnownPrompt>();

  const store = (promptId: string, known: KnownPrompt): KnownPrompt => {
    if (prompts.size >= MAX_PROMPTS) prompts.clear();
    prompts.set(promptId, known);
    if (known.isPrivate) addHidden(hidden.promptIds, promptId);
    return known;
  };

  return {
    get(promptId) {
      const known =
        prompts.get(promptId) ??
        store(promptId, recallScope.current(promptId).prompts.get(promptId) ?? UNKNOWN_PROMPT);
      return known.isPrivate || !hidden.promptIds.has(promptId) ? known : { ...known, isPrivate: true };
    },
    has: (promptId) => prompts.has(promptId),
    set: store,
    forEvents(events) {
      const known = new Map<string, KnownPrompt>();
      for (const { promptId } of events) {
        const knownPrompt = promptId == null ? undefined : prompts.get(promptId);
        if (knownPrompt !== undefined) known.set(promptId!, knownPrompt);
      }
      return known;
    },
  };
}
