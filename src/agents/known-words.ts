import type { AgentWords } from "./agent-words.ts";
import { claudeWords } from "./claude/words.ts";
import type { AgentId } from "./hook-delivery.ts";
import { unknownWords } from "./unknown/words.ts";

/** The words of the agents in `registry.ts`, in its order. What is only words may be asked for anywhere. */
export const knownWords: readonly AgentWords[] = [claudeWords, unknownWords];

/**
 * For a long time there was but one agent: calls that were recorded without a kind are its own, and so are requests
 * that name no form. Driven sessions are its own, too.
 */
export const firstWords: AgentWords = claudeWords;

/** What a person calls it. */
export function labelOf(id: AgentId): string {
  return (wordsOf(id) ?? unknownWords).label;
}

/** Of the agent of that name; never of the one that nobody can name. */
export function wordsOf(id: AgentId): AgentWords | undefined {
  return id === unknownWords.id ? undefined : knownWords.find((words) => words.id === id);
}
