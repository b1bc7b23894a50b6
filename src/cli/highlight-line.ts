import { plainText } from "../shown/plain-text.ts";
import { displayWidth, truncateToWidth } from "./display-width.ts";
import type { Paint } from "./paint.ts";

/**
 * One line of text with some ranges in bold, at most `cells` wide. Ranges refer to the raw text, which is
 * sanitized piece by piece.
 */
export function highlightLine(
  text: string,
  marks: readonly (readonly [number, number])[],
  cells: number,
  paint: Paint,
): string {
  let cellsLeft = cells;
  let line = "";
  let endsInSpace = true;
  for (const { part, isMarked } of splitAtMarks(text, marks)) {
    const clean = plainText(part).replace(/\s+/g, " ");
    const plain: string = endsInSpace ? clean.trimStart() : clean;
    if (plain === "") continue;
    const truncated = truncateToWidth(plain, cellsLeft);
    line += isMarked ? paint("bold", truncated) : truncated;
    cellsLeft -= displayWidth(truncated);
    endsInSpace = plain.endsWith(" ");
    if (truncated !== plain || cellsLeft <= 0) break;
  }
  return line.trimEnd();
}

function* splitAtMarks(text: string, marks: readonly (readonly [number, number])[]) {
  let at = 0;
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const [start, end] = [Math.max(at, from), Math.min(text.length, to)];
    if (end <= start) continue;
    yield { part: text.slice(at, start), isMarked: false };
    yield { part: text.slice(start, end), isMarked: true };
    at = end;
  }
  yield { part: text.slice(at), isMarked: false };
}
