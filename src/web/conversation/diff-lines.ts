/** A hunk of a unified diff: lines start with a space, `-` or `+`. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const MAX_CELLS = 2_000_000;

/** The shortest line diff between two texts; above a certain size everything counts as replaced. */
export function diffLines(before: string, after: string): string[] {
  const a = toLines(before);
  const b = toLines(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail++;
  return [
    ...a.slice(0, head).map((line) => ` ${line}`),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map((line) => ` ${line}`),
  ];
}

function middle(a: readonly string[], b: readonly string[]): string[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > MAX_CELLS)
    return [...a.map((line) => `-${line}`), ...b.map((line) => `+${line}`)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push(` ${a[i++]}`);
      j++;
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push(`-${a[i++]}`);
    else lines.push(`+${b[j++]}`);
  }
  return lines;
}

/** A final newline ends a line and does not start a new one. */
export function toLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function countChanges(hunks: readonly Hunk[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { lines } of hunks)
    for (const line of lines) {
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
    }
  return { added, removed };
}

/** The differing range `[from, to)` of each line in a changed pair. Null when they have little in common. */
export function changedPart(
  before: string,
  after: string,
): { readonly old: readonly [number, number]; readonly new: readonly [number, number] } | null {
  const most = Math.min(before.length, after.length);
  if (most > 2_000) return null;
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  // Half a word is harder to read than a whole one.
  while (head > 0 && isWord(before[head - 1]) && (isWord(before[head]) || isWord(after[head]))) head--;
  while (
    tail > 0 &&
    isWord(before[before.length - tail]) &&
    (isWord(before[before.length - tail - 1]) || isWord(after[after.length - tail - 1]))
  )
    tail--;
  const indent = /^\s*/.exec(before)![0].length;
  if (Math.max(0, head - indent) + tail < 0.25 * Math.max(1, most - indent)) return null;
  return { old: [head, before.length - tail], new: [head, after.length - tail] };
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char);
}
