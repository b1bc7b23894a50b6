/** Wallet seed phrases: twelve to twenty-four plain words, recognised only by the words beside them. */
import { matchEnd, type Scan, type Span } from "./secret-scan.ts";

const WORD_COUNTS = new Set([12, 15, 18, 21, 24]);
const MAX_WORDS = 25;
/** Between two words: blanks, commas, quotes, the numbers of a list, line ends. */
const GAP = /(?:[ \t\r\n,"'|]|\\{1,8}[nrt]|\d{1,2}[.):]){1,24}/y;
const WORD = /[a-z]{3,8}(?![A-Za-z0-9_-])/y;
/** Frequent English words that no wallet uses: any of them marks a sentence. */
const SENTENCE_WORD =
  /^(?:the|and|for|are|not|from|with|which|must|have|has|was|were|been|may|should|would|could|but|any|all|its|our|their|used|uses|using|words?|phrase|mnemonic|wallet|generate|generated|store|stored|keep|never|backup|restore|please|each|these|those|them|some|into|also|only|does|see)$/;

/** The words from here on, if their number is a wallet's and none belongs to a sentence. */
export function seedPhraseAt(text: string, from: number): Span | undefined {
  let at = Math.max(from, matchEnd(GAP, text, from));
  const start = at;
  let end = -1;
  for (let count = 1; count < MAX_WORDS; count++) {
    const wordEnd = matchEnd(WORD, text, at);
    if (wordEnd < 0 || SENTENCE_WORD.test(text.slice(at, wordEnd))) break;
    at = matchEnd(GAP, text, wordEnd);
    if (WORD_COUNTS.has(count)) {
      end = wordEnd;
      // Text on another line is unrelated.
      if (at < 0 || /\n/.test(text.slice(wordEnd, at))) break;
    }
    if (at < 0) break;
  }
  return end < 0 ? undefined : { start, end, kind: "seed-phrase" };
}

const LEAD_IN =
  /(?:seed|recovery|mnemonic|backup|secret)[ _-](?:phrase|words?)(?: is| was| are)?:?(?=[\s:])/iy;

/** "my seed phrase is …", "Recovery phrase:" and the words on the next line; `at` is on the blank before it. */
export function detectSeedPhrase(scan: Scan, at: number): Span | undefined {
  const { text } = scan;
  const next = text.charCodeAt(at + 1) | 32;
  if (next !== 112 && next !== 119) return undefined; // phrase, words
  const before = /(?:seed|recovery|mnemonic|backup|secret)$/i.exec(
    text.slice(Math.max(scan.floor, at - 8), at),
  );
  if (before === null) return undefined;
  const from = matchEnd(LEAD_IN, text, at - before[0].length);
  return from < 0 ? undefined : seedPhraseAt(text, from);
}
