/** An edit as lines: what both sides begin and end with is context, the rest is taken out (`-`) and put in (`+`). Linear. */
export function diffText(before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  return [
    ...old.slice(0, head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail).map((line) => `  ${line}`),
  ].join("\n");
}
