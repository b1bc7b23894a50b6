/** The number of terminal cells a text takes: two for wide East Asian characters and emoji. */
export function displayWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += cellsOf(segment);
  return width;
}

/** Exactly that many cells: truncated with an ellipsis, or padded with spaces. */
export function fitToWidth(text: string, cells: number, align: "start" | "end" = "start"): string {
  const fitted = truncateToWidth(text, cells);
  const space = " ".repeat(Math.max(0, cells - displayWidth(fitted)));
  return align === "start" ? fitted + space : space + fitted;
}

/** At most that many cells. */
export function truncateToWidth(text: string, cells: number): string {
  if (displayWidth(text) <= cells) return text;
  let truncated = "";
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += cellsOf(segment);
    if (width > cells) break;
    truncated += segment;
  }
  return cells < 1 ? "" : `${truncated}…`;
}

/** Wraps into lines of at most that many cells, each indented like the first; at most `maxLines` lines. */
export function wrapToWidth(text: string, cells: number, maxLines = Number.POSITIVE_INFINITY): string[] {
  const indent = " ".repeat(Math.min(text.length - text.trimStart().length, cells >> 1));
  const lines: string[] = [];
  let line = indent;
  let width = indent.length;
  for (const { segment } of graphemes.segment(text.slice(indent.length))) {
    const segmentCells = cellsOf(segment);
    if (width + segmentCells > cells) {
      lines.push(line);
      if (lines.length >= maxLines) return lines;
      [line, width] = [indent, indent.length];
    }
    line += segment;
    width += segmentCells;
  }
  return [...lines, line];
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18d08}\u{1b000}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}]/u;
const HANGUL_END = /^[\u1160-\u11ff\ud7b0-\ud7fb]$/;
const EMPTY = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}]*$/u;

/**
 * Counts each code point of a grapheme, except marks and trailing Hangul jamo. Terminals draw a combined
 * emoji as one or as several pictures, and a line must fit in all of them.
 */
function cellsOf(grapheme: string): number {
  let cells = 0;
  for (const char of grapheme) {
    if (WIDE.test(char) || EMOJI.test(char)) cells += 2;
    else if (!EMPTY.test(char) && !HANGUL_END.test(char)) cells += 1;
  }
  return grapheme.includes("\ufe0f") ? Math.max(2, cells) : cells;
}
