/**
 * Text as indexed. FTS5's `porter unicode61` splits words at everything but letters and digits; before that,
 * names are expanded with their parts, and scripts without spaces become character pairs. Queries are
 * expanded the same way, so that both match.
 */
export function expandText(text: string): string {
  return splitWords(text)
    .flatMap((word) => word.tokens)
    .join(" ");
}

export interface Word {
  /** As written. */
  readonly text: string;
  readonly isCjk: boolean;
  /** Its index tokens: itself, then its parts. */
  readonly tokens: readonly string[];
}

export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of foldText(text).matchAll(WORD)) {
    const word = match[0];
    const isCjk = match[1] !== undefined;
    words.push({ text: word, isCjk, tokens: isCjk ? pairsOf(word) : nameTokens(word) });
  }
  return words;
}

/** Normalises what looks the same: composed Hangul (macOS decomposes file names), narrow Latin. */
export function foldText(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKC").replace(PRIVATE_USE, " ");
}

/** The parts of a name: `parseHTTPResponse2` becomes parse, HTTP, Response, 2. */
export function splitName(name: string): string[] {
  return name.split(PART_BOUNDARY).filter((part) => part !== "");
}

/** Prefix of every token that stands for a filter rather than a word; no text can contain it. */
export const FACET_PREFIX = "\u{E000}";

const CJK = "\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々";
const LETTER = `[[\\p{L}\\p{N}\\p{M}]--[${CJK}]]`;
const WORD = new RegExp(`([${CJK}]+)|${LETTER}+(?:[_.\\-]+${LETTER}+)*`, "gv");
const ASCII = /^[\x00-\x7f]*$/;
const PRIVATE_USE = /\p{Co}/gu;
const PART_BOUNDARY =
  /[_.-]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
/** Longer ones are keys and encoded bytes: their first characters suffice to distinguish them. */
const MAX_TOKEN_CHARS = 64;

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function nameTokens(word: string): string[] {
  const segments = word.split(/\.+/);
  const tokens = segments.length > 1 ? [joinParts(word)] : [];
  for (const segment of segments) {
    const parts = splitName(segment);
    if (parts.length > 1) tokens.push(joinParts(segment));
    for (const part of parts) tokens.push(part.slice(0, MAX_TOKEN_CHARS));
  }
  return tokens;
}

function joinParts(name: string): string {
  return name.replace(/[_.-]+/g, "").slice(0, MAX_TOKEN_CHARS);
}
