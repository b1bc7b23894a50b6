import type { NewEvent } from "../event/event.ts";
import { type HiddenTurns, hide } from "./hidden-turns.ts";
import type { PromptMemory } from "./recall.ts";
import type { Recalling } from "./recall-during.ts";

/** What this run knows of each prompt; what it does not know yet is recalled. */
export interface PromptMemories {
  get(promptId: string): PromptMemory;
  has(promptId: string): boolean;
  set(promptId: string, known: PromptMemory): void;
  /** What is known by now of the prompts of these events: it may be dropped while the store is asked. */
  ofEvents(events: readonly NewEvent[]): Map<string, PromptMemory>;
}

const NOTHING: PromptMemory = { told: [], isPrivate: false, slash: undefined };
const MAX_PROMPTS = 10_000;

export function createPromptMemories(hidden: HiddenTurns, recalling: Recalling): PromptMemories {
  const prompts = new Map<string, PromptMemory>();

  const remember = (promptId: string, known: PromptMemory): PromptMemory => {
    if (prompts.size >= MAX_PROMPTS) prompts.clear();
    prompts.set(promptId, known);
    if (known.isPrivate) hide(hidden.promptIds, promptId);
    return known;
  };

  return {
    get(promptId) {
      const known =
        prompts.get(promptId) ?? remember(promptId, recalling.now(promptId).prompts.get(promptId) ?? NOTHING);
      return known.isPrivate || !hidden.promptIds.has(promptId) ? known : { ...known, isPrivate: true };
    },
    has: (promptId) => prompts.has(promptId),
    set: remember,
    ofEvents(events) {
      const known = new Map<string, PromptMemory>();
      for (const { promptId } of events) {
        const before = promptId == null ? undefined : prompts.get(promptId);
        if (before !== undefined) known.set(promptId!, before);
      }
      return known;
    },
  };
}
