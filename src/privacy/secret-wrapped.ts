/** Tokens that a terminal, a mail or an editor broke over several lines. */
import { matchEnd, type Scan } from "./secret-scan.ts";

const PIECE = /[!#-&(-;=?-[\]-_a-~]{0,200}/y;
const UNBOUNDED_PIECE = /[!#-&(-;=?-[\]-_a-~]*/y;
const MAX_PIECE_CHARS = 200;
const TOKEN_PIECE = /[\w+/=~.-]+/y;
/** A line end, also escaped, and what tools add before the next line: indent, line number, diff sign. */
const LINE_BREAK =
  /\\?(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)(?:[ \t]{0,20}(?:\d{1,6}[→\t|]|[>+|-](?=[ \t]))?[ \t]{0,20})/y;
const MAX_PIECES = 4;
const MAX_LINES = 24;

/** The end of what `body` matches from `from` on, ignoring line breaks; -1 if it does not match. */
export function matchWrapped(body: RegExp, scan: Scan, from: number): number {
  const { text } = scan;
  // A long run is scanned once, however many tokens seem to start in it.
  if (from >= scan.pieceTo) scan.pieceTo = matchEnd(UNBOUNDED_PIECE, text, from);
  if (scan.pieceTo - from > MAX_PIECE_CHARS) return -1;
  const firstEnd = matchEnd(PIECE, text, from);
  let next = matchEnd(LINE_BREAK, text, firstEnd);
  if (next < 0) return -1;
  let joined = text.slice(from, firstEnd);
  const shifts = [{ from: 0, at: from }];
  for (let n = 1; n < MAX_PIECES && next >= 0; n++) {
    const end = matchEnd(PIECE, text, next);
    if (end === next) break;
    shifts.push({ from: joined.length, at: next });
    joined += text.slice(next, end);
    const matched = matchEnd(body, joined, 0);
    if (matched >= 0) {
      const piece = shifts.findLast((shift) => shift.from < matched)!;
      return piece.at + matched - piece.from;
    }
    next = matchEnd(LINE_BREAK, text, end);
  }
  return -1;
}

/** A token may already be complete at the line's end and still go on: then the next line looks similar. */
export function endOfWrapped(text: string, start: number, end: number): number {
  let last = end;
  let tail: string | undefined;
  for (let n = 0; n < MAX_LINES; n++) {
    const next = matchEnd(LINE_BREAK, text, last);
    if (next < 0) break;
    const pieceEnd = matchEnd(TOKEN_PIECE, text, next);
    if (pieceEnd < 0 || !/^(?:[\s"'`\\,;)\]}<]|$)/.test(text.slice(pieceEnd, pieceEnd + 1))) break;
    tail ??= text.slice(Math.max(start, end - 32), end);
    if (!continues(tail, text.slice(next, Math.min(pieceEnd, next + 256)))) break;
    last = pieceEnd;
  }
  return last;
}

/** Whether the piece has the same characters, and is not a word, path, name, checksum or token of its own. */
function continues(tail: string, piece: string): boolean {
  if (!/\d/.test(piece) || isPrefixed(piece)) return false;
  if (/[a-f0-9]{16}$/.test(tail)) return /^[a-f0-9]{4,}$/.test(piece) && piece.length !== 40;
  if (piece.length < 8) return false;
  if (!/[A-Z]/.test(tail))
    return /^[a-z0-9]+$/.test(piece) && /\d[a-z]+\d/.test(piece) && piece.length !== 40;
  return /^[\w+/=-]+(?:\.[\w-]{16,})*$/.test(piece) && /[a-z]/.test(piece) && /[A-Z]/.test(piece);
}

/** Whether the next line is a token or assignment of its own: `NAME=value`, `ghp_…`. */
function isPrefixed(piece: string): boolean {
  return /^[A-Za-z][\w-]{1,40}=(?!=*$)|^[A-Za-z]{2,12}[_-][A-Za-z0-9]{20,}/.test(piece);
}
