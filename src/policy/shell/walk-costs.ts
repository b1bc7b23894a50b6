import type { ShellCommand } from "./shell-reading.ts";

/** Every check reads a command's words, some of them several times, and scans what is piped into it. */
export function workOfCommand({
  args,
  redirects,
  layers,
  pipedFrom,
  substituted,
  cwds,
  wrappers,
}: ShellCommand): number {
  const texts = [...args, ...redirects].reduce((sum, each) => {
    const text = "operator" in each ? (each.text ?? each.target?.text ?? "") : each.text;
    return sum + 400 + 8 * text.length;
  }, 2_000);
  const contextCost = layers.length * 50 + wrappers.length * 20 + cwds.length * 50;
  return texts + contextCost + 20 * (pipedFrom.length + substituted.length);
}
