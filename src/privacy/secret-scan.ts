/** What all detectors share: the state of a scan, the span they report, and how they read text. */

/** A secret from `start` to `end`. An empty kind masks nothing, but no detector looks back beyond it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** The state of a run: `floor` is the end of the last mask, before which no detector looks. */
export interface Scan {
  readonly text: string;
  floor: number;
  /** No JWT starts before here: its run of base64 was already scanned. */
  jwtFrom: number;
  /** Where the arguments of a command that stores secrets (`gh secret set`) end. */
  secretArgsTo: number;
  /** Colour codes or invisible characters were seen, which may hide a secret. */
  disguised: boolean;
  /** Percent-encoded characters were seen. */
  encoded: boolean;
  /** Up to here the text is one piece without a line end, already scanned. */
  pieceTo: number;
  /** Counts work: a text full of names and prefixes costs more than its length suggests. */
  readonly spend: Spend;
}

/** Called with the work about to be done, about one unit per character read; throws to abort the scan. */
export type Spend = (work: number) => void;

export function createScan(text: string, spend: Spend): Scan {
  return {
    text,
    floor: 0,
    jwtFrom: 0,
    secretArgsTo: 0,
    disguised: false,
    encoded: false,
    pieceTo: 0,
    spend,
  };
}

export type Detector = (scan: Scan, at: number) => Span | undefined;

export const MARK_START = "[REDACTED:";

export function mark(kind: string): string {
  return `${MARK_START}${kind}]`;
}

export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Not inside a word; `\n`, `%20` and colour codes before a word do not count as its letters. */
export function isBoundary(scan: Scan, start: number): boolean {
  if (start <= scan.floor) return true;
  const { text } = scan;
  if (!/[A-Za-z0-9]/.test(text[start - 1]!)) return true;
  return /\\[nrt]$|%[0-9A-Fa-f]{2}$|\x1b\[[\d;]{0,8}m$/.test(text.slice(Math.max(0, start - 12), start));
}

/** The inside of a literal on one line. `\"` (JSON in JSON) is closed by the same number of backslashes. */
export function readQuoted(text: string, from: number): { start: number; end: number } | undefined {
  let open = from;
  while (text.charCodeAt(open) === 92 && open - from < 16) open++;
  const quote = text.charCodeAt(open);
  if (quote !== 34 && quote !== 39 && quote !== 96) return undefined;
  const depth = open - from;
  const triple = readTripleQuoted(text, from, open);
  if (triple !== undefined) return triple;
  let slashes = 0;
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) break;
    if (code === 92) {
      slashes++;
      continue;
    }
    const closes = depth === 0 ? slashes % 2 === 0 : slashes <= depth;
    if (code === quote && closes) return { start: open + 1, end: depth === 0 ? at : at - slashes };
    slashes = 0;
  }
  // Never closed (truncated, or an apostrophe): up to the next blank.
  const end = matchEnd(/[^\s]{1,}/y, text, open + 1);
  return end < 0 ? undefined : { start: open + 1, end };
}

const MAX_TRIPLE_QUOTED_CHARS = 4_096;

/** The inside of `"""…"""`, also escaped, without the blanks around it. */
function readTripleQuoted(
  text: string,
  from: number,
  open: number,
): { start: number; end: number } | undefined {
  const quote = text.slice(from, open + 1);
  if (!text.startsWith(quote + quote, open + 1)) return undefined;
  const first = open + 1 + 2 * quote.length;
  const close = text.slice(first, first + MAX_TRIPLE_QUOTED_CHARS).indexOf(quote.repeat(3));
  if (close < 0) return undefined;
  const inside = text.slice(first, first + close);
  const start = first + inside.length - inside.trimStart().length;
  return { start, end: Math.max(start, first + inside.trimEnd().length) };
}
