import type { MemoryItem } from "./memory-item.ts";

/** Apart from the schemas: the search thread needs these words and not zod, which takes 20 MB there. */

/** About what a text costs a model. Measured on code and prose: four characters of Latin, one of CJK a token. */
export function tokensOf(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4 + wide);
}

const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** All words of an item, as a reader is shown them. */
export function itemText({ content, summary }: Pick<MemoryItem, "content" | "summary">): string {
  const told = summary === null ? [] : SUMMARY_LABELS.map(([key, label]) => labelled(label, summary[key]));
  const files = [...content.filesModified, ...content.filesRead];
  return [
    content.title,
    ...told,
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
