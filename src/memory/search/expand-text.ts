/**
 * Text as the index holds it. FTS5's `porter unicode61` parts words at everything that is no letter or digit; before
 * that, names are written out with their parts, and scripts without spaces as pairs of characters. The same is done to
 * what is looked for, so that each finds the other.
 */
export function expandText(text: string): string {
  return wordsOf(text)
    .flatMap((word) => word.tokens)
    .join(" ");
}

export interface Word {
  /** As it was written. */
  readonly text: string;
  readonly isCjk: boolean;
  /** What it is indexed as: itself, then its parts. */
  readonly tokens: readonly string[];
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of foldText(text).matchAll(WORD)) {
    const word = match[0];
    const isCjk = match[1] !== undefined;
    words.push({ text: word, isCjk, tokens: isCjk ? pairsOf(word) : nameTokens(word) });
  }
  return words;
}

/** One form for what looks the same: composed Hangul (macOS writes file names apart), narrow Latin. */
export function foldText(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKC").replace(PRIVATE_USE, " ");
}

/** The parts of a name: `parseHTTPResponse2` is parse, HTTP, Response, 2. */
export function partsOf(name: string): string[] {
  return name.split(SEAM).filter((part) => part !== "");
}

/** What begins every token that stands for a filter and not for a word; no text can hold it. */
export const FACET = "\u{E000}";

const CJK = "\\p{Script=Hangul}\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々";
const LETTER = `[[\\p{L}\\p{N}\\p{M}]--[${CJK}]]`;
const WORD = new RegExp(`([${CJK}]+)|${LETTER}+(?:[_.\\-]+${LETTER}+)*`, "gv");
const ASCII = /^[\x00-\x7f]*$/;
const PRIVATE_USE = /\p{Co}/gu;
const SEAM =
  /[_.-]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
/** Longer ones are keys and encoded bytes: their beginning tells them apart. */
const LONGEST = 64;

function pairsOf(word: string): string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function nameTokens(word: string): string[] {
  const segments = word.split(/\.+/);
  const tokens = segments.length > 1 ? [joined(word)] : [];
  for (const segment of segments) {
    const parts = partsOf(segment);
    if (parts.length > 1) tokens.push(joined(segment));
    for (const part of parts) tokens.push(part.slice(0, LONGEST));
  }
  return tokens;
}

function joined(name: string): string {
  return name.replace(/[_.-]+/g, "").slice(0, LONGEST);
}
