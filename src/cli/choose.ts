import type { questionsOf } from "../monitor/tool-text.ts";
import { visibleLine } from "../shown/visible-text.ts";

export type Question = ReturnType<typeof questionsOf>[number];

/** What typed words choose; `none` when they are no choice, `unclear` when they may be several. */
export type Chosen =
  | { readonly type: "label"; readonly label: string }
  | { readonly type: "none" }
  | { readonly type: "unclear"; readonly how: string };

const NONE: Chosen = { type: "none" };

/** A choice as it is written comes first, then one that differs only in case, then a number's place in the list. */
export function choose({ options }: Pick<Question, "options">, word: string): Chosen {
  const labels = options.map(({ label }) => label);
  const byWords = chooseLabel(labels, word);
  // With a dot, as the list has it, a number is a place and nothing else.
  const [, digits, dot] = /^(\d+)(\.?)$/.exec(word) ?? [];
  const inPlace = digits === undefined ? undefined : labels[Number(digits) - 1];
  if (inPlace === undefined) return byWords;
  const others = labels.filter((label) => label !== inPlace && isNumber(label, Number(digits)));
  if (dot === "" && others.length > 0) return { type: "unclear", how: bothText(digits!) };
  return byWords.type === "none" ? { type: "label", label: inPlace } : byWords;
}

/** By its words alone. */
export function chooseLabel(labels: readonly string[], word: string): Chosen {
  for (const same of [exact, plain, caseless]) {
    const [label, ...others] = new Set(labels.filter((one) => same(one) === same(word)));
    if (others.length > 0) return { type: "unclear", how: severalText(word) };
    if (label !== undefined) return { type: "label", label };
  }
  return NONE;
}

const exact = (label: string): string => label;
/** A terminal and a shell do not pass on every space. */
const plain = (label: string): string => label.trim().replace(/\s+/g, " ");
const caseless = (label: string): string => plain(label).toLowerCase();

function isNumber(label: string, number: number): boolean {
  const text = plain(label);
  return /^\d+$/.test(text) && Number(text) === number;
}

function bothText(digits: string): string {
  return `${digits} is both a choice and the number of another one: type a number with a dot, such as ${digits}., for the choice in that place`;
}

function severalText(word: string): string {
  return `"${visibleLine(word)}" fits several choices: type one as it is written, or its number`;
}
