import type { MemoryItem } from "./memory-item.ts";

/** Separate from the schemas: the search thread needs these but not zod, which takes 20 MB there. */

/** Approximate token count. Measured on code and prose: four Latin characters per token, one CJK. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** The full text of an item, as shown to a reader. */
export function itemText({ content, summary }: Pick<MemoryItem, "content" | "summary">): string {
  const summaryLines =
    summary === null ? [] : SUMMARY_LABELS.map(([key, label]) => labelled(label, summary[key]));
  const files = [...content.filesModified, ...content.filesRead];
  return [
    content.title,
    ...summaryLines,
    ...content.facts.map((fact) => `- ${fact}`),
    content.narrative,
    labelled("Files", files.length === 0 ? null : [...new Set(files)].join(", ")),
  ]
    .filter((part) => part !== null && part !== "")
    .join("\n");
}

const SUMMARY_LABELS = [
  ["request", "Request"],
  ["investigated", "Investigated"],
  ["learned", "Learned"],
  ["completed", "Completed"],
  ["nextSteps", "Next steps"],
] as const;

function labelled(label: string, text: string | null): string | null {
  return text === null || text === "" ? null : `${label}: ${text}`;
}
