/**
 * Formats an edit as a line diff: the common head and tail are context, the rest is removed (`-`) and added
 * (`+`). Where only whitespace changes, tabs are shown, or both lines would look the same. Linear time.
 */
export function diffText(before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const out = old.slice(head, old.length - tail);
  const put = now.slice(head, now.length - tail);
  return [
    ...old.slice(0, head).map((line) => `  ${line}`),
    ...showTabs(out, put).map((line) => `- ${line}`),
    ...showTabs(put, out).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail).map((line) => `  ${line}`),
  ].join("\n");
}

function showTabs(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others.map(withoutBlanks));
  return lines.map((line) => (known.has(withoutBlanks(line)) ? line.replaceAll("\t", "\\u0009") : line));
}

function withoutBlanks(line: string): string {
  return line.replace(/[ \t]/g, "");
}
