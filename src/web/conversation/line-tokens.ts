import type { Hunk, Ranges } from "./diff-lines.ts";
import type { Token } from "./highlight.ts";

export interface MarkedToken extends Token {
  readonly isChanged: boolean;
}

/** Splits a line's tokens at the bounds of its changed words. */
export function markTokens(tokens: readonly Token[], changed: Ranges): MarkedToken[] {
  const cuts = changed.flat();
  let at = 0;
  return tokens.flatMap(({ text, className }) => {
    const end = at + text.length;
    const bounds = [at, ...cuts.filter((cut) => cut > at && cut < end), end];
    at = end;
    return bounds.slice(1).map((to, index) => {
      const from = bounds[index]!;
      const isChanged = changed.some(([low, high]) => low <= from && to <= high);
      return { text: text.slice(from - end + text.length, to - end + text.length), className, isChanged };
    });
  });
}

/** Highlights the text before and the text after a hunk, each as a whole, and returns the tokens by line. */
export function highlightHunk(
  { lines }: Hunk,
  highlight: (lines: readonly string[]) => readonly (readonly Token[])[],
): Map<number, readonly Token[]> {
  const tokens = new Map<number, readonly Token[]>();
  for (const other of ["+", "-"]) {
    const own = [...lines.entries()].filter(([, line]) => line[0] !== other);
    const rows = highlight(own.map(([, line]) => line.slice(1)));
    for (const [row, [index]] of own.entries()) tokens.set(index, rows[row] ?? []);
  }
  return tokens;
}
