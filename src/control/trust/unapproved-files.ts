import type { Trust } from "./trust.ts";

/** The files of a project that `hookline trust` lists as unapproved, each `.claude` folder as one entry. */
export async function unapprovedFiles(trust: Pick<Trust, "report">, cwd: string): Promise<string[]> {
  const { items, trusted } = await trust.report(cwd);
  if (trusted) return [];
  return [...new Set(items.map(({ file }) => file.replace(/(^|\/)\.claude\/.*$/s, "$1.claude")))];
}
