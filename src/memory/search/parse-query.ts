import { foldText, splitWords } from "./expand-text.ts";

/** A search as index terms. The expressions are valid, whatever the user typed. */
export interface SearchQuery {
  /** FTS5 strings or prefixes, any one of which suffices to match. */
  readonly terms: readonly string[];
  /** The last word as a prefix. */
  readonly prefix: string | null;
  /** Quoted phrases. */
  readonly phrases: readonly string[];
  /** Only quoted phrases: documents without them do not match. */
  readonly isStrict: boolean;
  /** Share of it in scripts without spaces, or Hangul: 0 to 1. */
  readonly cjkShare: number;
}

export function parseSearchQuery(text: string): SearchQuery {
  const folded = foldText(text.slice(0, MAX_QUERY_CHARS));
  const quoted = [...folded.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? "");
  const words = splitWords(folded);
  const informative = words.filter((word) => !STOP_WORDS.has(word.text.toLowerCase()));
  const chosen = informative.length > 0 ? informative : words;
  const terms = new Set<string>();
  for (const { isCjk, tokens } of chosen) {
    const isSingleChar = isCjk && tokens.length === 1 && [...tokens[0]!].length === 1;
    for (const token of tokens) terms.add(isSingleChar ? `${quote(token)} *` : quote(token.toLowerCase()));
  }
  const phrases = quoted.map(phraseOf).filter((phrase) => phrase !== null);
  const cjkCount = chosen.filter((word) => word.isCjk).length;
  return {
    terms: [...terms].slice(0, MAX_TERMS),
    prefix: prefixOf(folded, chosen.at(-1)),
    phrases,
    isStrict: phrases.length > 0 && folded.replace(QUOTED, "").trim() === "",
    cjkShare: chosen.length === 0 ? 0 : cjkCount / chosen.length,
  };
}

const MAX_QUERY_CHARS = 2000;
/** Prompts may be long; what matters are their rare words, and each term costs time. */
const MAX_TERMS = 48;
const QUOTED = /"([^"]+)"|“([^”]+)”/g;

function phraseOf(text: string): string | null {
  const tokens = splitWords(text).flatMap((word) => word.tokens);
  return tokens.length === 0 ? null : quote(tokens.join(" "));
}

function prefixOf(
  folded: string,
  last: { readonly text: string; readonly isCjk: boolean } | undefined,
): string | null {
  if (last === undefined || last.isCjk || !folded.endsWith(last.text)) return null;
  const token = last.text.replace(/[_.-]+/g, "");
  return token.length < 3 ? null : `${quote(token.toLowerCase())} *`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Words without discriminating power. Excludes `not`, `no`, `get`, `all`, which matter in code. */
const STOP_WORDS = new Set(
  `a an and are as at be been being but by can could did do does doing done for from had has have having he her
   here hers him his how i if in into is it its itself just me my of on or our ours she should so some such than that
   the their them then there these they this those to too very was we were what when where which while who whom why
   will with would you your yours let please
   어떻게 왜 어디 어디서 어디에 어디에서 어느 어떤 어떻게든 무엇 무엇을 무엇이 뭐 뭐가 뭐를 뭘 뭐였지 뭐였더라 언제 누가 누구 얼마나
   그 이 저 것 거 수 때 좀 다시 그때 그거 이거 저거 했지 했더라 했었지 였지 였더라 있었지 있지 있나 하는 있는 했던 된 되는 하지
   무슨 몇 관련 대해 대한 위해 위한 알려줘 찾아줘 보여줘 설명해줘 해줘`.split(/\s+/),
);
