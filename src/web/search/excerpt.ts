import type { TextMarks } from "../components/without-markdown.ts";

/** Two lines on a phone hold about 80 characters; a match after this could be cut off. */
const MAX_LEAD_CHARS = 60;
const CONTEXT_CHARS = 30;

/** Starts the text shortly before its first match if the match would otherwise be out of view. */
export function excerptAround(
  text: string,
  marks: TextMarks,
): { readonly text: string; readonly marks: TextMarks } {
  const first = marks[0]?.[0] ?? 0;
  if (first <= MAX_LEAD_CHARS) return { text, marks };
  const space = text.indexOf(" ", first - CONTEXT_CHARS);
  const start = space === -1 || space >= first ? first : space + 1;
  return {
    text: `…${text.slice(start)}`,
    marks: marks.map(([from, to]) => [from - start + 1, to - start + 1]),
  };
}
