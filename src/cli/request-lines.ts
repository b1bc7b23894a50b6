/**
 * The only way a request reaches a terminal: all parts, labelled, wrapped to the width, never truncated.
 * Labels come before the bar and agent text after it, so no text can pass for a separate part.
 */
import type { ShownPart } from "../shown/show-request.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { noPaint, type Paint } from "./paint.ts";

export interface RequestLineOptions {
  /** Cells per line; `Infinity` wraps only where the text does. */
  readonly width: number;
  readonly paint?: Paint;
  /** ASCII only: other characters become escapes, because dropping or replacing one would hide something. */
  readonly ascii?: boolean;
}

const LABEL_CELLS = 11;
const TAB_CELLS = 8;
/** The prefix of a line of text, and of the rest of a wrapped one. */
const LINE_MARK = "│ ";
const CONTINUATION_MARK = "↳ ";
const NOTE_MARK = "· ";
const MIN_TEXT_CELLS = 8;

export function requestLines(parts: readonly ShownPart[], options: RequestLineOptions): string[] {
  const { width, paint = noPaint, ascii = false } = options;
  const cells = Math.max(MIN_TEXT_CELLS, width - LABEL_CELLS - 1 - LINE_MARK.length);
  return parts.flatMap(({ role, name, text }) => {
    const label = toLabel(role, name);
    const isShort = label.length <= LABEL_CELLS;
    const labelLines = isShort
      ? []
      : splitLine(label, Math.max(MIN_TEXT_CELLS, width - CONTINUATION_MARK.length)).map(markContinuation);
    const lines = text.split("\n").flatMap((line) => {
      const expanded = expandTabs(ascii ? toAsciiText(line) : line);
      return splitLine(expanded, cells).map((piece, index) => ({
        piece,
        mark: index === 0 ? LINE_MARK : CONTINUATION_MARK,
      }));
    });
    return [
      ...labelLines.map((line) => paint("cyan", line)),
      ...lines.map(({ piece, mark: sign }, index) => {
        const before = (index === 0 && isShort ? label : "").padEnd(LABEL_CELLS);
        return `${paint("cyan", before)} ${paint("dim", sign)}${piece === "" ? "" : paint("bold", piece)}`;
      }),
    ];
  });
}

/** Our own notes below a request: never where a label or agent text could be. */
export function noteLines(note: string, options: RequestLineOptions, sign = NOTE_MARK): string[] {
  const { width, paint = noPaint, ascii = false } = options;
  const line = visibleLine(note);
  const pieces = splitLine(
    ascii ? toAsciiText(line) : line,
    Math.max(MIN_TEXT_CELLS, width - CONTINUATION_MARK.length),
  );
  return pieces.map((piece, index) => paint("dim", (index === 0 ? sign : CONTINUATION_MARK) + piece));
}

/** Whether a terminal of that width can show a request at all. */
export function isWideEnough(width: number): boolean {
  return width >= LABEL_CELLS + 1 + LINE_MARK.length + MIN_TEXT_CELLS;
}

const ROLES = new Set<string>(["tool", "agent", "description", "diff", "question", "option", "about"]);

/** Field names are agent text, too: one that is not a plain word, or equals one of our labels, is quoted. */
function toLabel(role: ShownPart["role"], name: string): string {
  const isPlain = /^[A-Za-z][\w.-]*$/.test(name);
  if (role !== "field" || (isPlain && !ROLES.has(name))) return name;
  return `"${toAsciiText(visibleLine(name))}"`;
}

function markContinuation(line: string, index: number): string {
  return index === 0 ? line : CONTINUATION_MARK + line;
}

function toAsciiText(text: string): string {
  // In a form that the text itself cannot contain: see `visibleEscapes`.
  return text.replace(/[^\t\n\u0020-\u007e]/gu, (letter) => {
    const code = letter.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

function expandTabs(line: string): string {
  let expanded = "";
  let cells = 0;
  for (const [index, piece] of line.split("\t").entries()) {
    const gap = index === 0 ? "" : " ".repeat(TAB_CELLS - (cells % TAB_CELLS));
    expanded += gap + piece;
    cells += gap.length + cellsOf(piece);
  }
  return expanded;
}

/** Splits into pieces of at most that many cells, which together are the line again. */
function splitLine(line: string, cells: number): string[] {
  if (line.length * 2 <= cells) return [line];
  if (/^[\u0020-\u007e]*$/.test(line)) {
    const count = Math.max(1, Math.ceil(line.length / cells));
    return Array.from({ length: count }, (_, index) => line.slice(index * cells, (index + 1) * cells));
  }
  const pieces: string[] = [];
  let piece = "";
  let usedCells = 0;
  for (const segment of charactersOf(line, cells)) {
    const segmentCells = cellsOf(segment);
    if (usedCells + segmentCells > cells && piece !== "") {
      pieces.push(piece);
      [piece, usedCells] = ["", 0];
    }
    piece += segment;
    usedCells += segmentCells;
  }
  return [...pieces, piece];
}

/** The characters of a line; one that is wider than a line is itself split. */
function* charactersOf(line: string, cells: number): Generator<string> {
  for (const { segment } of graphemes.segment(line))
    if (cellsOf(segment) <= cells) yield segment;
    else yield* segment;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * An upper bound for the cells a terminal uses. Terminals disagree about many characters, and one that takes
 * more than counted would cut off the line's end: anything not known to be narrow counts as wide.
 */
function cellsOf(text: string): number {
  let cells = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    const isNarrow = code < 0x300 || (code >= 0x370 && code < 0x530);
    cells += isNarrow ? 1 : 2;
  }
  return cells;
}
