import { foldText, splitName, splitWords } from "./expand-text.ts";

export interface Snippet {
  readonly snippet: string;
  /** The matched ranges in it, from and to (UTF-16). */
  readonly marks: [number, number][];
}

/** A line or two of a text where most of the query matches, or its start. */
export function buildSnippet(text: string, query: string, maxChars: number = MAX_SNIPPET_CHARS): Snippet {
  const folded = foldText(text).replace(/\s/g, " ");
  const found = findMarks(folded, queryStems(query));
  const from = bestStart(folded, found, maxChars);
  const to = Math.min(folded.length, from + maxChars);
  const [begin, end] = [wordStart(folded, from), to === folded.length ? to : wordEnd(folded, to)];
  const head = begin > 0 ? "…" : "";
  const snippet = `${head}${folded.slice(begin, end)}${end < folded.length ? "…" : ""}`;
  const shift = head.length - begin;
  const inside = found.filter((mark) => mark.from >= begin && mark.to <= end);
  return { snippet, marks: inside.map((mark) => [mark.from + shift, mark.to + shift]) };
}

interface Mark {
  readonly from: number;
  readonly to: number;
  readonly term: string;
}

const MAX_SNIPPET_CHARS = 220;

function queryStems(query: string): ReadonlySet<string> {
  return new Set(splitWords(query).flatMap((word) => word.tokens.map((token) => stemOf(token))));
}

function findMarks(text: string, queryTerms: ReadonlySet<string>): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  for (const word of splitWords(text)) {
    const from = text.indexOf(word.text, at);
    if (from === -1) continue;
    at = from + word.text.length;
    for (const mark of word.isCjk
      ? pairMarks(word.tokens, queryTerms)
      : nameMarks(word.text, word.tokens, queryTerms))
      marks.push({ ...mark, from: mark.from + from, to: mark.to + from });
  }
  return marks;
}

/** Merges consecutive pairs into one mark. */
function pairMarks(pairs: readonly string[], queryTerms: ReadonlySet<string>): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  for (const pair of pairs) {
    const mark = { from: at, to: at + pair.length, term: pair };
    at += [...pair][0]!.length;
    const isFound = queryTerms.has(pair) || (queryTerms.has([...pair][0]!) && pair.length > 1);
    const last = marks.at(-1);
    if (isFound && last !== undefined && last.to >= mark.from)
      marks[marks.length - 1] = { ...last, to: mark.to };
    else if (isFound) marks.push(mark);
  }
  return marks;
}

/** The whole name if it was queried, else its matching parts. */
function nameMarks(word: string, tokens: readonly string[], queryTerms: ReadonlySet<string>): Mark[] {
  const nameStem = stemOf(tokens[0]!);
  if (queryTerms.has(nameStem)) return [{ from: 0, to: word.length, term: nameStem }];
  const marks: Mark[] = [];
  let at = 0;
  for (const part of splitName(word)) {
    const from = word.indexOf(part, at);
    at = from + part.length;
    if (queryTerms.has(stemOf(part))) marks.push({ from, to: at, term: stemOf(part) });
  }
  return marks;
}

/** Start of the first window with the most distinct terms. */
function bestStart(text: string, marks: readonly Mark[], maxChars: number): number {
  let best = { from: 0, terms: 0 };
  for (const [index, mark] of marks.entries()) {
    const terms = new Set<string>();
    for (let next = index; next < marks.length && marks[next]!.to - mark.from <= maxChars; next++)
      terms.add(marks[next]!.term);
    if (terms.size > best.terms) best = { from: mark.from, terms: terms.size };
  }
  const leadChars = Math.floor(maxChars / 6);
  return Math.max(0, Math.min(best.from - leadChars, text.length - maxChars));
}

function wordStart(text: string, from: number): number {
  if (from === 0) return 0;
  const space = text.indexOf(" ", from);
  return space === -1 || space - from > 20 ? wholeCharacter(text, from) : space + 1;
}

function wordEnd(text: string, to: number): number {
  const space = text.lastIndexOf(" ", to);
  return space === -1 || to - space > 20 ? wholeCharacter(text, to) : space;
}

/** Avoids splitting a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

/** Coarser than the index's stemmer: only used for marks. */
function stemOf(token: string): string {
  const lowered = token.toLowerCase();
  return lowered.length < 5
    ? lowered.replace(/s$/, "")
    : lowered.replace(/(?:ings?|ions?|ures?|ied|ies|ed|es|ers?|s|e|y)$/, "");
}
