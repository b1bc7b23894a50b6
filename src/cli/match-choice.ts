import type { RawQuestion } from "../agents/questions.ts";
import { visibleLine } from "../shown/visible-text.ts";

/** The option that typed words select; `none` when they match none, `unclear` when they may match several. */
export type ChoiceMatch =
  | { readonly type: "label"; readonly label: string }
  | { readonly type: "none" }
  | { readonly type: "unclear"; readonly how: string };

const NO_MATCH: ChoiceMatch = { type: "none" };

/**
 * An exact match comes first, then one that differs only in case, then a number as a list position. If a
 * number is one option's position and another option is that number or starts with it, neither is chosen.
 */
export function matchChoice({ options }: Pick<RawQuestion, "options">, word: string): ChoiceMatch {
  const labels = options.map(({ label }) => label ?? "");
  const [, digits, dot] = /^(\d+)(\.?)$/.exec(word) ?? [];
  const place = Number(digits ?? 0);
  const inPlace = labels[place - 1];
  if (digits === undefined || inPlace === undefined) return matchLabel(labels, word);
  if (isBlank(inPlace)) return { type: "unclear", how: noLabelText(place) };
  const other = dot === "" ? findNumberConflict(labels, place) : findPrefixConflict(labels, place, word);
  if (other === undefined) return { type: "label", label: inPlace };
  const how =
    dot === ""
      ? ambiguousNumberText(word, [labels.indexOf(other) + 1, other], [place, inPlace])
      : `${word} is also the start of "${visibleLine(other)}": type the choice in full`;
  return { type: "unclear", how };
}

/** The shortest input that selects the option at a position and no other. */
export function shortestInputFor(question: Pick<RawQuestion, "options">, place: number): string {
  const label = question.options[place - 1]?.label ?? "";
  const words = [`${place}`, `${place}.`, label].filter((word) => {
    const chosen = matchChoice(question, word);
    return chosen.type === "label" && chosen.label === label;
  });
  return words[0] ?? `${place}`;
}

/** An option that a bare number may refer to instead of the one at that position. */
function findNumberConflict(labels: readonly string[], place: number): string | undefined {
  const inPlace = labels[place - 1]!;
  if (isNumber(inPlace, place)) return undefined;
  return labels.find((label) => isNumber(label, place)) ?? findPrefixConflict(labels, place, `${place}`);
}

function findPrefixConflict(labels: readonly string[], place: number, word: string): string | undefined {
  const begins = (label: string): boolean => plain(label).startsWith(word);
  const inPlace = labels[place - 1]!;
  const isWholly = leadingNumber(inPlace) === place || word.endsWith(".");
  if (isWholly && begins(inPlace)) return undefined;
  return labels.find((label) => label !== inPlace && begins(label));
}

/** Matches by label only. */
export function matchLabel(labels: readonly string[], word: string): ChoiceMatch {
  for (const same of [exact, plain, caseless]) {
    const [label, ...others] = new Set(labels.filter((one) => !isBlank(one) && same(one) === same(word)));
    if (others.length > 0) return { type: "unclear", how: ambiguousLabelText(word) };
    if (label !== undefined) return { type: "label", label };
  }
  return NO_MATCH;
}

export function isBlank(label: string): boolean {
  return label.trim() === "";
}

const exact = (label: string): string => label;
/** Terminals and shells do not preserve all whitespace. */
const plain = (label: string): string => label.trim().replace(/\s+/g, " ");
const caseless = (label: string): string => plain(label).toLowerCase();

function isNumber(label: string, number: number): boolean {
  const text = plain(label);
  return /^\d+$/.test(text) && Number(text) === number;
}

/** The integer that a label starts with: 2 for "2 spaces", but not for "20" or "2.5 GB". */
function leadingNumber(label: string): number | undefined {
  const [digits] = /^\d+(?!\d|[.,]\d)/.exec(plain(label)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function noLabelText(place: number): string {
  return `choice ${place} has no label: choose another one`;
}

function ambiguousNumberText(word: string, ...both: readonly (readonly [number, string])[]): string {
  const ways = both.map(([place, label]) => `${place}. for "${visibleLine(label)}"`);
  return `${word} may be a choice or the number of another one: type ${ways.join(" or ")}`;
}

function ambiguousLabelText(word: string): string {
  return `"${visibleLine(word)}" fits several choices: type one as it is written, or its number`;
}
