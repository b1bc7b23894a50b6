import { diffArrays, diffWordsWithSpace } from "diff";

/** A hunk of a unified diff: lines start with a space, `-` or `+`. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** Positions `[from, to)` in a line, ascending. */
export type Ranges = readonly (readonly [from: number, to: number])[];

const MAX_EDITS = 1_000;
const MAX_LINE_CHARS = 2_000;

/** The line diff between two texts; beyond a number of edits everything counts as replaced. */
export function diffLines(before: string, after: string): string[] {
  const [a, b] = [toLines(before), toLines(after)];
  const parts = diffArrays(a, b, { maxEditLength: MAX_EDITS }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? "+" : removed ? "-" : " "}${line}`),
  );
}

/** A final newline ends a line and does not start a new one. */
export function toLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function countChanges(hunks: readonly Hunk[]): { added: number; removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (marker: string): number => lines.filter((line) => line.startsWith(marker)).length;
  return { added: count("+"), removed: count("-") };
}

/** The words that differ in each line of a changed pair. Null when the lines have little in common. */
export function changedWords(before: string, after: string): { old: Ranges; new: Ranges } | null {
  if (Math.max(before.length, after.length) > MAX_LINE_CHARS) return null;
  const ranges = { old: [] as [number, number][], new: [] as [number, number][] };
  let [atOld, atNew, common] = [0, 0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (!added && !removed) common += value.trim().length;
    if (removed) ranges.old.push([atOld, atOld + value.length]);
    if (added) ranges.new.push([atNew, atNew + value.length]);
    if (!added) atOld += value.length;
    if (!removed) atNew += value.length;
  }
  return common < 0.25 * Math.min(before.trim().length, after.trim().length) ? null : ranges;
}

/** The changed words of each line, by index: removed lines are paired with as many added ones after them. */
export function markChanges(lines: readonly string[]): Map<number, Ranges> {
  const marks = new Map<number, Ranges>();
  for (let start = 0; start < lines.length; start++) {
    if (!lines[start]!.startsWith("-")) continue;
    let firstAdded = start;
    while (lines[firstAdded]?.startsWith("-")) firstAdded++;
    let end = firstAdded;
    while (lines[end]?.startsWith("+")) end++;
    for (let offset = 0; firstAdded - start === end - firstAdded && start + offset < firstAdded; offset++) {
      const changed = changedWords(lines[start + offset]!.slice(1), lines[firstAdded + offset]!.slice(1));
      if (changed === null) continue;
      marks.set(start + offset, changed.old);
      marks.set(firstAdded + offset, changed.new);
    }
    start = end - 1;
  }
  return marks;
}
