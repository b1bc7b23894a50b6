/**
 * Formats an edit as a line diff: the common head and tail are context, the rest is removed (`-`) and added
 * (`+`). Where only whitespace changes, tabs are shown, or both lines would look the same. Linear time.
 */
export function diffText(before: string, after: string): string {
  const oldLines = before.split("\n");
  const newLines = after.split("\n");
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    oldLines[oldLines.length - 1 - tail] === newLines[newLines.length - 1 - tail]
  )
    tail++;
  const removed = oldLines.slice(head, oldLines.length - tail);
  const added = newLines.slice(head, newLines.length - tail);
  return [
    ...oldLines.slice(0, head).map((line) => `  ${line}`),
    ...showTabs(removed, added).map((line) => `- ${line}`),
    ...showTabs(added, removed).map((line) => `+ ${line}`),
    ...oldLines.slice(oldLines.length - tail).map((line) => `  ${line}`),
  ].join("\n");
}

function showTabs(lines: readonly string[], others: readonly string[]): string[] {
  const otherTexts = new Set(others.map(withoutBlanks));
  return lines.map((line) => (otherTexts.has(withoutBlanks(line)) ? line.replaceAll("\t", "\\u0009") : line));
}

function withoutBlanks(line: string): string {
  return line.replace(/[ \t]/g, "");
}
