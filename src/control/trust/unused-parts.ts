import type { Trust } from "./trust.ts";

/** What `hookline trust` lists of a project and nobody approved as it is, each `.claude` folder as one. */
export async function unusedParts(trust: Pick<Trust, "report">, cwd: string): Promise<string[]> {
  const { items, trusted } = await trust.report(cwd);
  if (trusted) return [];
  return [...new Set(items.map(({ file }) => file.replace(/(^|\/)\.claude\/.*$/s, "$1.claude")))];
}
