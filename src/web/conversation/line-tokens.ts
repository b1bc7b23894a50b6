import type { Hunk, Ranges } from "./diff-lines.ts";
import type { Token } from "./highlight.ts";

export interface MarkedToken extends Token {
  readonly isChanged: boolean;
}

/** Splits a line's tokens at the bounds of its changed words. */
export function markTokens(tokens: readonly Token[], changed: Ranges): MarkedToken[] {
  const cuts = changed.flat();
  let start = 0;
  return tokens.flatMap(({ text, className }) => {
    const end = start + text.length;
    const bounds = [start, ...cuts.filter((cut) => cut > start && cut < end), end];
    start = end;
    return bounds.slice(1).map((to, index) => {
      const from = bounds[index]!;
      const isChanged = changed.some(([low, high]) => low <= from && to <= high);
      return { text: text.slice(from - end + text.length, to - end + text.length), className, isChanged };
    });
  });
}

/** Highlights a hunk's old and new text separately, and returns the tokens by line. */
export function highlightHunk(
  { lines }: Hunk,
  highlight: (lines: readonly string[]) => readonly (readonly Token[])[],
): Map<number, readonly Token[]> {
  const tokens = new Map<number, readonly Token[]>();
  for (const excluded of ["+", "-"]) {
    const kept = [...lines.entries()].filter(([, line]) => line[0] !== excluded);
    const rows = highlight(kept.map(([, line]) => line.slice(1)));
    for (const [row, [index]] of kept.entries()) tokens.set(index, rows[row] ?? []);
  }
  return tokens;
}
