/**
 * Wraps text where a terminal would, so that each row starts with our mark: agent text never appears where
 * only we write.
 */

/** Before every row of agent text. None of our own lines starts with it. */
export const AGENT_TEXT_MARK = "┃ ";
const CONTINUATION_MARK = "↳ ";

export interface RowOptions {
  readonly width: number;
  readonly mark: string;
}

/** `column` is the width already written in the current row; 0 if none. Pure. */
export function toMarkedRows(
  text: string,
  column: number,
  { width, mark }: RowOptions,
): { readonly rows: string; readonly column: number } {
  const maxCellsPerRow = Math.max(width, mark.length + 2);
  let rows = "";
  let usedCells = column;
  for (const letter of text) {
    if (letter === "\n") {
      rows += usedCells === 0 ? `${mark.trimEnd()}\n` : "\n";
      usedCells = 0;
      continue;
    }
    const letterCells = maxCells(letter);
    if (usedCells === 0 || usedCells + letterCells > maxCellsPerRow) {
      rows += (usedCells === 0 ? "" : "\n") + mark;
      usedCells = mark.length;
    }
    rows += letter;
    usedCells += letterCells;
  }
  return { rows, column: usedCells };
}

/** One line of ours that quotes an agent: its first row unchanged, the others marked as continuation. */
export function toHangingRows(line: string, width: number): string {
  const [first = ""] = line;
  return (
    first + toMarkedRows(line.slice(first.length), maxCells(first), { width, mark: CONTINUATION_MARK }).rows
  );
}

/** Terminals disagree about many characters: anything not known to be narrow counts as wide. */
function maxCells(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  return code < 0x300 || (code >= 0x370 && code < 0x530) ? 1 : 2;
}
