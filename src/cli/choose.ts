import type { PlacedQuestion } from "../agents/questions.ts";
import { visibleLine } from "../shown/visible-text.ts";

/** What typed words choose; `none` when they are no choice, `unclear` when they may be several. */
export type Chosen =
  | { readonly type: "label"; readonly label: string }
  | { readonly type: "none" }
  | { readonly type: "unclear"; readonly how: string };

const NONE: Chosen = { type: "none" };

/**
 * A choice as it is written comes first, then one that differs only in case, then a number's place in the list. Where a
 * number is one choice's place and another choice is that number or begins with it, neither is chosen.
 */
export function choose({ options }: Pick<PlacedQuestion, "options">, word: string): Chosen {
  const labels = options.map(({ label }) => label ?? "");
  const [, digits, dot] = /^(\d+)(\.?)$/.exec(word) ?? [];
  const place = Number(digits ?? 0);
  const inPlace = labels[place - 1];
  if (digits === undefined || inPlace === undefined) return chooseLabel(labels, word);
  if (isBlank(inPlace)) return { type: "unclear", how: noLabelText(place) };
  const other = dot === "" ? otherNumber(labels, place) : otherBeginning(labels, place, word);
  if (other === undefined) return { type: "label", label: inPlace };
  const how =
    dot === ""
      ? bothText(word, [labels.indexOf(other) + 1, other], [place, inPlace])
      : `${word} begins the choice "${visibleLine(other)}", too: type the choice in full`;
  return { type: "unclear", how };
}

/** The shortest words that choose the option in a place and no other one. */
export function wordForPlace(question: Pick<PlacedQuestion, "options">, place: number): string {
  const label = question.options[place - 1]?.label ?? "";
  const words = [`${place}`, `${place}.`, label].filter((word) => {
    const chosen = choose(question, word);
    return chosen.type === "label" && chosen.label === label;
  });
  return words[0] ?? `${place}`;
}

/** A choice that a bare number may mean rather than the one in that place. */
function otherNumber(labels: readonly string[], place: number): string | undefined {
  const inPlace = labels[place - 1]!;
  if (isNumber(inPlace, place)) return undefined;
  return labels.find((label) => isNumber(label, place)) ?? otherBeginning(labels, place, `${place}`);
}

function otherBeginning(labels: readonly string[], place: number, word: string): string | undefined {
  const begins = (label: string): boolean => plain(label).startsWith(word);
  const inPlace = labels[place - 1]!;
  const isWholly = leadingNumber(inPlace) === place || word.endsWith(".");
  if (isWholly && begins(inPlace)) return undefined;
  return labels.find((label) => label !== inPlace && begins(label));
}

/** By its words alone. */
export function chooseLabel(labels: readonly string[], word: string): Chosen {
  for (const same of [exact, plain, caseless]) {
    const [label, ...others] = new Set(labels.filter((one) => !isBlank(one) && same(one) === same(word)));
    if (others.length > 0) return { type: "unclear", how: severalText(word) };
    if (label !== undefined) return { type: "label", label };
  }
  return NONE;
}

export function isBlank(label: string): boolean {
  return label.trim() === "";
}

const exact = (label: string): string => label;
/** A terminal and a shell do not pass on every space. */
const plain = (label: string): string => label.trim().replace(/\s+/g, " ");
const caseless = (label: string): string => plain(label).toLowerCase();

function isNumber(label: string, number: number): boolean {
  const text = plain(label);
  return /^\d+$/.test(text) && Number(text) === number;
}

/** The whole number that a label begins with: 2 of "2 spaces", but not of "20" or "2.5 GB". */
function leadingNumber(label: string): number | undefined {
  const [digits] = /^\d+(?!\d|[.,]\d)/.exec(plain(label)) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function noLabelText(place: number): string {
  return `choice ${place} has no label: choose another one`;
}

function bothText(word: string, ...both: readonly (readonly [number, string])[]): string {
  const ways = both.map(([place, label]) => `${place}. for "${visibleLine(label)}"`);
  return `${word} may be a choice or the number of another one: type ${ways.join(" or ")}`;
}

function severalText(word: string): string {
  return `"${visibleLine(word)}" fits several choices: type one as it is written, or its number`;
}
