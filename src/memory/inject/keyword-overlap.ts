/** Words that carry a text's topic, without endings: enough to see that two texts are about the same. */
export function keywordsOf(text: string): ReadonlySet<string> {
  const keywords = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (WIDE.test(word)) for (const pair of pairsOf(word)) keywords.add(pair);
    else if (word.length > 2 && !STOP_WORDS.has(word)) keywords.add(stem(word));
  }
  return keywords;
}

/** The share of one text's words that another contains, from 0 to 1. */
export function coverage(words: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let count = 0;
  for (const word of words) if (other.has(word)) count++;
  return count / words.size;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function pairsOf(word: string): string[] {
  const letters = [...word];
  return letters.length < 2 ? [] : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

function stem(word: string): string {
  const bare = word.replace(/(?:ies|es|s|ed|ing)$/, "");
  return (bare.length >= 3 ? bare : word).slice(0, 6);
}

/** Too common in any kind of work. */
const STOP_WORDS = new Set(
  (
    "the and for with that this from into then than also not but are was were has have had will would should could " +
    "can may its his her our your their there here now all any each some more most next step steps still just only " +
    "please let lets make made making add added adding fix fixed fixing update updated updating write wrote written " +
    "implement implemented implementing change changed changing create created run running ran use used using get do " +
    "done does need needs needed want like what when where which who why how you they them after before about"
  ).split(" "),
);
