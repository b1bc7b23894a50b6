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

const NOTHING: KnownPrompt = { eventIds: [], isPrivate: false, slashCommand: undefined };
const MAX_PROMPTS = 10_000;

export function createKnownPrompts(hidden: HiddenTurns, recalling: RecallScope): KnownPrompts {
  const prompts = new Map<string, KnownPrompt>();

  const remember = (promptId: string, known: KnownPrompt): KnownPrompt => {
    if (prompts.size >= MAX_PROMPTS) prompts.clear();
    prompts.set(promptId, known);
    if (known.isPrivate) addHidden(hidden.promptIds, promptId);
    return known;
  };

  return {
    get(promptId) {
      const known =
        prompts.get(promptId) ??
        remember(promptId, recalling.current(promptId).prompts.get(promptId) ?? NOTHING);
      return known.isPrivate || !hidden.promptIds.has(promptId) ? known : { ...known, isPrivate: true };
    },
    has: (promptId) => prompts.has(promptId),
    set: remember,
    forEvents(events) {
      const known = new Map<string, KnownPrompt>();
      for (const { promptId } of events) {
        const before = promptId == null ? undefined : prompts.get(promptId);
        if (before !== undefined) known.set(promptId!, before);
      }
      return known;
    },
  };
}
