import { tokensOf } from "../item-text.ts";
import type { GivenItem } from "../memory-contract.ts";
import { MOST_CHARACTERS, wrapContext } from "./wrap.ts";

/** What was chosen, ready to be given. */
export interface Given {
  /** Wrapped. */
  readonly text: string;
  readonly items: readonly GivenItem[];
  readonly tokens: number;
}

/** One line that may be given. `item` is null for a line that stands for no item. */
export interface Candidate {
  /** Safe, and of one line; empty when there is nothing to say. */
  readonly text: string;
  readonly item: { readonly id: number; readonly title: string; readonly why: string } | null;
}

export interface Section {
  /** Null: lines without a heading. */
  readonly heading: string | null;
  readonly candidates: readonly Candidate[];
  /** How many lines, and what part of the budget, it may take. */
  readonly most: number;
  readonly share: number;
  /** Its lines say something else of an item than the lines before. */
  readonly mayRepeat?: boolean;
}

/** Sections in their order, as much of each as fits; no line twice, and no item but where a section says so. Null when nothing fits. */
export function fillBudget(sections: readonly Section[], budgetTokens: number): Given | null {
  const lines: string[] = [];
  const items: GivenItem[] = [];
  const seen = new Set<number | string>();
  let tokens = tokensOf(wrapContext([])) + 1;
  let characters = wrapContext([]).length;

  for (const { heading, candidates, most, share, mayRepeat = false } of sections) {
    const until = Math.min(budgetTokens, tokens + budgetTokens * share);
    let count = 0;
    for (const { text, item } of candidates) {
      if (count === most) break;
      if (text === "" || seen.has(sameness(text))) continue;
      if (item !== null && seen.has(item.id) && !mayRepeat) continue;
      const added = [...(count === 0 && heading !== null ? [`${heading}:`] : []), lineOf(text, item)];
      const cost = tokensOf(`${added.join("\n")}\n`);
      const size = added.join("\n").length + 1;
      if (tokens + cost > until || characters + size > MOST_CHARACTERS) continue;
      lines.push(...added);
      tokens += cost;
      characters += size;
      count++;
      seen.add(sameness(text));
      if (item === null || seen.has(item.id)) continue;
      seen.add(item.id);
      items.push({ ...item, tokens: tokensOf(added.at(-1)!) });
    }
  }
  if (lines.length === 0) return null;
  const text = wrapContext(lines);
  return { text, items, tokens: tokensOf(text) };
}

function lineOf(text: string, item: Candidate["item"]): string {
  return item === null ? `- ${text}` : `- #${item.id} ${text}`;
}

/** Two lines that differ only in their date say the same. */
function sameness(text: string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
