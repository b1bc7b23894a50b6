import type { ItemContent, SummaryContent } from "../memory-item.ts";
import { clipLine, proseOf } from "./clean-text.ts";
import { MAX_TITLE } from "./compress-call.ts";
import { conceptsOf } from "./concepts.ts";
import { sentencesOf } from "./sentences.ts";

const MAX_FILES = 30;
const MAX_CONCEPTS = 8;
const MAX_PROMPT_CHARS = 2_000;

/** A turn's summary as an item, titled by what was done, else by what was asked. */
export function summaryItemContent(
  summary: SummaryContent,
  calls: readonly { readonly content: ItemContent }[],
): ItemContent {
  const title =
    summary.completed ?? summary.request ?? summary.investigated ?? summary.learned ?? summary.nextSteps;
  const modified = mergeLists(calls.map(({ content }) => content.filesModified));
  const changed = new Set(modified);
  return {
    type: "summary",
    title: clipLine(firstSentencesOf(title) || "Turn without text", MAX_TITLE),
    facts: [],
    narrative: null,
    filesRead: mergeLists(calls.map(({ content }) => content.filesRead)).filter((file) => !changed.has(file)),
    filesModified: modified,
    concepts: mostCommonConcepts(summary, calls),
  };
}

/** A prompt as an item. The narrative holds its text where it does not fit the title. */
export function promptItemContent(prompt: string): ItemContent {
  const text = proseOf(prompt, 2 * MAX_PROMPT_CHARS);
  const title = clipLine(text, MAX_TITLE);
  return {
    type: "prompt",
    title: title === "" ? "Prompt without text" : title,
    facts: [],
    narrative: title.length < text.length ? text.slice(0, MAX_PROMPT_CHARS).toWellFormed() : null,
    filesRead: [],
    filesModified: [],
    concepts: conceptsOf({ files: [], texts: [text], names: [], errors: text }),
  };
}

function firstSentencesOf(text: string | null): string {
  const [first = "", second] = sentencesOf(text ?? "");
  const firstTwo = second === undefined ? first : `${first} ${second}`;
  return firstTwo.length <= MAX_TITLE ? firstTwo : first;
}

function mergeLists(lists: readonly (readonly string[])[]): string[] {
  const all = new Set<string>();
  for (const list of lists) {
    for (const value of list) {
      if (all.size >= MAX_FILES) return [...all];
      all.add(value);
    }
  }
  return [...all];
}

/** What most calls are about; the first one on a tie. */
function mostCommonConcepts(
  summary: SummaryContent,
  calls: readonly { readonly content: ItemContent }[],
): string[] {
  const counts = new Map<string, number>();
  for (const { content } of calls) {
    for (const concept of content.concepts) counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  const requestTexts = summary.request === null ? [] : [summary.request];
  for (const concept of conceptsOf({ files: [], texts: requestTexts, names: [], errors: "" })) {
    counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CONCEPTS)
    .map(([concept]) => concept);
}
