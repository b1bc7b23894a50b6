export type TextMarks = readonly (readonly [number, number])[];

/** Markdown as shown in lists: the text without the markup. */
export function withoutMarkdown(text: string): string {
  return stripMarkdown(text, []).text;
}

/** The first line with a letter or digit, without markup. */
export function previewLine(text: string): string {
  const lines = text.slice(0, MAX_CHARS).split("\n");
  for (const line of lines) {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) continue;
    const plain = withoutMarkdown(line).trim();
    if (/[\p{L}\p{N}]/u.test(plain)) return plain;
  }
  return lines.find((line) => line.trim() !== "")?.trim() ?? "";
}

/** Removes the markup and shifts the marks to match. */
export function stripMarkdown(
  text: string,
  marks: TextMarks,
): { readonly text: string; readonly marks: TextMarks } {
  if (text.length > MAX_CHARS) return { text, marks };
  const found = MARKUP.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(cutsOf)).sort(
    ([a], [b]) => a - b,
  );
  const cuts: Cut[] = [];
  for (const cut of found) if (cut[0] >= (cuts.at(-1)?.[1] ?? 0)) cuts.push(cut);
  const remaining = [...cuts, [text.length, text.length] as const].map(([from], index) =>
    text.slice(cuts[index - 1]?.[1] ?? 0, from),
  );
  const shift = (position: number): number =>
    cuts.reduce((rest, [from, to]) => rest - Math.max(0, Math.min(to, position) - from), position);
  return { text: remaining.join(""), marks: marks.map(([from, to]) => [shift(from), shift(to)]) };
}

const MAX_CHARS = 10_000;

/** Patterns for the markup around text. Single asterisks stay, because they may be globs. */
const MARKUP: readonly RegExp[] = [
  /^(?<before>[ \t]*(?:#{1,6}[ \t]+|>[ \t]?))/gm,
  /(?<before>\*\*|~~)(?=\S)[^\n*~]{0,2000}?\S(?<after>\k<before>)/g,
  /(?<before>`)[^\n`]{1,2000}(?<after>`)/g,
  /(?<![\w\])])(?<before>!?\[)[^\n[\]]{1,500}(?<after>\]\((?=[^\s()]*[/.#])[^\s()]{1,500}\))/g,
];

type Cut = readonly [number, number];

function cutsOf({ 0: found, index, groups = {} }: RegExpExecArray): Cut[] {
  const { before = "", after = "" } = groups;
  const end = index + found.length;
  const cuts: Cut[] = [
    [index, index + before.length],
    [end - after.length, end],
  ];
  return cuts.filter(([from, to]) => to > from);
}
