import { estimateTokens } from "../item-text.ts";
import type { InjectedItem } from "../memory-contract.ts";
import { MAX_CONTEXT_CHARS, wrapContext } from "./wrap-context.ts";

/** The selected context, ready to inject. */
export interface InjectedContext {
  /** Wrapped in the context tag. */
  readonly text: string;
  readonly items: readonly InjectedItem[];
  readonly tokens: number;
}

/** A line that may be injected. `item` is null for a line without an item. */
export interface CandidateLine {
  /** A single safe line; empty when there is nothing to say. */
  readonly text: string;
  readonly item: { readonly id: number; readonly title: string; readonly why: string } | null;
}

export interface Section {
  /** Null: lines without a heading. */
  readonly heading: string | null;
  readonly candidates: readonly CandidateLine[];
  /** Limits of lines and of the share of the budget. */
  readonly maxLines: number;
  readonly share: number;
  /** May list items again, because its lines say something different about them. */
  readonly mayRepeat?: boolean;
}

/** Fills sections in order as far as they fit; repeats no line, items only if `mayRepeat`. Null if empty. */
export function fillBudget(sections: readonly Section[], budgetTokens: number): InjectedContext | null {
  const lines: string[] = [];
  const items: InjectedItem[] = [];
  const seen = new Set<number | string>();
  let tokens = estimateTokens(wrapContext([])) + 1;
  let characters = wrapContext([]).length;

  for (const { heading, candidates, maxLines, share, mayRepeat = false } of sections) {
    const sectionLimit = Math.min(budgetTokens, tokens + budgetTokens * share);
    let count = 0;
    for (const { text, item } of candidates) {
      if (count === maxLines) break;
      if (text === "" || seen.has(dedupeKey(text))) continue;
      if (item !== null && seen.has(item.id) && !mayRepeat) continue;
      const added = [...(count === 0 && heading !== null ? [`${heading}:`] : []), lineOf(text, item)];
      const cost = estimateTokens(`${added.join("\n")}\n`);
      const size = added.join("\n").length + 1;
      if (tokens + cost > sectionLimit || characters + size > MAX_CONTEXT_CHARS) continue;
      lines.push(...added);
      tokens += cost;
      characters += size;
      count++;
      seen.add(dedupeKey(text));
      if (item === null || seen.has(item.id)) continue;
      seen.add(item.id);
      items.push({ ...item, tokens: estimateTokens(added.at(-1)!) });
    }
  }
  if (lines.length === 0) return null;
  const text = wrapContext(lines);
  return { text, items, tokens: estimateTokens(text) };
}

function lineOf(text: string, item: CandidateLine["item"]): string {
  return item === null ? `- ${text}` : `- #${item.id} ${text}`;
}

/** Lines that differ only in their date are duplicates. */
function dedupeKey(text: string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
