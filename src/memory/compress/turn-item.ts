import type { ItemContent, SummaryContent } from "../memory-item.ts";
import { clipLine, proseOf } from "./clean-text.ts";
import { MAX_TITLE } from "./compress-call.ts";
import { conceptsOf } from "./concepts.ts";
import { sentencesOf } from "./sentences.ts";

const MAX_FILES = 30;
const MAX_CONCEPTS = 8;
const MAX_PROMPT = 2_000;

/** A turn's summary as an item, titled by what was done, else by what was asked. */
export function summaryItemContent(
  summary: SummaryContent,
  calls: readonly { readonly content: ItemContent }[],
): ItemContent {
  const title =
    summary.completed ?? summary.request ?? summary.investigated ?? summary.learned ?? summary.nextSteps;
  const modified = united(calls.map(({ content }) => content.filesModified));
  const changed = new Set(modified);
  return {
    type: "summary",
    title: clipLine(firstOf(title) || "A turn without words", MAX_TITLE),
    facts: [],
    narrative: null,
    filesRead: united(calls.map(({ content }) => content.filesRead)).filter((file) => !changed.has(file)),
    filesModified: modified,
    concepts: commonest(summary, calls),
  };
}

/** A prompt as an item. The narrative holds its text where it does not fit the title. */
export function promptItemContent(prompt: string): ItemContent {
  const words = proseOf(prompt, 2 * MAX_PROMPT);
  const title = clipLine(words, MAX_TITLE);
  return {
    type: "prompt",
    title: title === "" ? "A prompt without words" : title,
    facts: [],
    narrative: title.length < words.length ? words.slice(0, MAX_PROMPT).toWellFormed() : null,
    filesRead: [],
    filesModified: [],
    concepts: conceptsOf({ files: [], texts: [words], names: [], errors: words }),
  };
}

function firstOf(text: string | null): string {
  const [first = "", second] = sentencesOf(text ?? "");
  const both = second === undefined ? first : `${first} ${second}`;
  return both.length <= MAX_TITLE ? both : first;
}

function united(lists: readonly (readonly string[])[]): string[] {
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
function commonest(summary: SummaryContent, calls: readonly { readonly content: ItemContent }[]): string[] {
  const counts = new Map<string, number>();
  for (const { content } of calls) {
    for (const concept of content.concepts) counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  const asked = summary.request === null ? [] : [summary.request];
  for (const concept of conceptsOf({ files: [], texts: asked, names: [], errors: "" })) {
    counts.set(concept, (counts.get(concept) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CONCEPTS)
    .map(([concept]) => concept);
}
