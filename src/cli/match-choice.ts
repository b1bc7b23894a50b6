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
  const position = Number(digits ?? 0);
  const atPosition = labels[position - 1];
  if (digits === undefined || atPosition === undefined) return matchLabel(labels, word);
  if (isBlank(atPosition)) return { type: "unclear", how: noLabelText(position) };
  const other =
    dot === "" ? findNumberConflict(labels, position) : findPrefixConflict(labels, position, word);
  if (other === undefined) return { type: "label", label: atPosition };
  const how =
    dot === ""
      ? ambiguousNumberText(word, [labels.indexOf(other) + 1, other], [position, atPosition])
      : `${word} is also the start of "${visibleLine(other)}": type the choice in full`;
  return { type: "unclear", how };
}

/** The shortest input that selects the option at a position and no other. */
export function shortestInputFor(question: Pick<RawQuestion, "options">, position: number): string {
  const label = question.options[position - 1]?.label ?? "";
  const words = [`${position}`, `${position}.`, label].filter((word) => {
    const match = matchChoice(question, word);
    return match.type === "label" && match.label === label;
  });
  return words[0] ?? `${position}`;
}

/** An option that a bare number may refer to instead of the one at that position. */
function findNumberConflict(labels: readonly string[], position: number): string | undefined {
  const atPosition = labels[position - 1]!;
  if (isNumber(atPosition, position)) return undefined;
  return (
    labels.find((label) => isNumber(label, position)) ?? findPrefixConflict(labels, position, `${position}`)
  );
}

function findPrefixConflict(labels: readonly string[], position: number, word: string): string | undefined {
  const startsWithWord = (label: string): boolean => plain(label).startsWith(word);
  const atPosition = labels[position - 1]!;
  const isUnambiguous = leadingNumber(atPosition) === position || word.endsWith(".");
  if (isUnambiguous && startsWithWord(atPosition)) return undefined;
  return labels.find((label) => label !== atPosition && startsWithWord(label));
}

/** Matches by label only. */
export function matchLabel(labels: readonly string[], word: string): ChoiceMatch {
  for (const normalize of [exact, plain, caseless]) {
    const [label, ...others] = new Set(
      labels.filter((other) => !isBlank(other) && normalize(other) === normalize(word)),
    );
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

export function noLabelText(position: number): string {
  return `choice ${position} has no label: choose another one`;
}

function ambiguousNumberText(word: string, ...both: readonly (readonly [number, string])[]): string {
  const alternatives = both.map(([position, label]) => `${position}. for "${visibleLine(label)}"`);
  return `${word} may be a choice or the number of another one: type ${alternatives.join(" or ")}`;
}

function ambiguousLabelText(word: string): string {
  return `"${visibleLine(word)}" fits several choices: type one as it is written, or its number`;
}
