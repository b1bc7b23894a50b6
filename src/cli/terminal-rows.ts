/**
 * Text broken where a terminal would break it, so that each of its rows begins with a mark of ours: what an agent wrote
 * never stands where only we write.
 */

/** Before every row of an agent's words. No line of ours begins with it. */
export const WORDS_MARK = "┃ ";
const REST_MARK = "↳ ";

export interface RowOptions {
  readonly width: number;
  readonly mark: string;
}

/** `column` is how far the row under way is written; 0 where none is. Pure. */
export function toRows(
  text: string,
  column: number,
  { width, mark }: RowOptions,
): { readonly rows: string; readonly column: number } {
  const most = Math.max(width, mark.length + 2);
  let rows = "";
  let used = column;
  for (const letter of text) {
    if (letter === "\n") {
      rows += used === 0 ? `${mark.trimEnd()}\n` : "\n";
      used = 0;
      continue;
    }
    const own = maxCells(letter);
    if (used === 0 || used + own > most) {
      rows += (used === 0 ? "" : "\n") + mark;
      used = mark.length;
    }
    rows += letter;
    used += own;
  }
  return { rows, column: used };
}

/** One line of ours that quotes an agent: its first row as it is, the others marked as the rest of it. */
export function toHangingRows(line: string, width: number): string {
  const [first = ""] = line;
  return first + toRows(line.slice(first.length), maxCells(first), { width, mark: REST_MARK }).rows;
}

/** Terminals disagree about many letters: what is not known to be narrow counts as wide. */
function maxCells(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  return code < 0x300 || (code >= 0x370 && code < 0x530) ? 1 : 2;
}
