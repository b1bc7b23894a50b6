import { oneLine } from "./clean-text.ts";
import { statesFinding, statesIntent } from "./text-cues.ts";

const MAX_LINES = 400;
const MAX_SENTENCES = 200;

/** The sentences of prose, line by line, without markup of lists, headings and emphasis. */
export function sentencesOf(prose: string): string[] {
  const sentences: string[] = [];
  for (const line of prose.split("\n", MAX_LINES)) {
    const plain = plainLine(line);
    if (plain === "") continue;
    for (const sentence of splitLine(plain)) {
      if (sentences.length >= MAX_SENTENCES) return sentences;
      sentences.push(sentence);
    }
  }
  return sentences;
}

/** Strips formatting from a line. Tables and horizontal rules become empty. */
export function plainLine(line: string): string {
  if (/^\s*(?:\||[-=*_]{3,}\s*$)/.test(line)) return "";
  return oneLine(
    line
      .slice(0, 2_000)
      .replace(/^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)\s+/, "")
      .replace(/^\[[ xX]\]\s+/, "")
      .replace(/\*\*|__/g, ""),
  );
}

/** Splits after `.`, `?` or `!` before whitespace and something that can start a sentence. */
function splitLine(line: string): string[] {
  return line
    .split(/(?<=[.!?。！？])\s+(?=[\p{Lu}\p{Lo}"'`(\d✅])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** The agent's stated intent, as the end of a title; null when it states none. */
export function purposeOf(text: string): string | null {
  const sentences = sentencesOf(text.slice(-1_500));
  const last = sentences.findLast(statesIntent) ?? sentences.findLast((sentence) => !statesFinding(sentence));
  if (last === undefined || last.length > 160) return null;
  const purpose = last
    .replace(
      /^(?:(?:now|next|then|so|ok|okay|first|great|good|perfect|finally|alright|right)[,.!]?\s+)+/i,
      "",
    )
    .replace(
      /^(?:let me|let's|I'll|I will|I'm going to|I need to|I can|I should|we need to|we'll|we should|I am going to)\s+(?:now |also |then |just |go ahead and )*/i,
      "",
    )
    .replace(/[\s:.…]+$/, "");
  if (purpose.length < 8 || purpose.length > 90 || EMPTY_PURPOSE.test(purpose)) return null;
  return purpose;
}

const EMPTY_PURPOSE =
  /^(?:\w+ (?:it|this|that|them|the (?:files?|changes?|edits?|code|fix|update|same))(?: \w+)?|(?:done|here|running|checking|looking|continuing)\b.{0,12})$/i;
