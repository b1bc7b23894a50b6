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
  const textCost = [...args, ...redirects].reduce((sum, item) => {
    const text = "operator" in item ? (item.text ?? item.target?.text ?? "") : item.text;
    return sum + 400 + 8 * text.length;
  }, 2_000);
  const contextCost = layers.length * 50 + wrappers.length * 20 + cwds.length * 50;
  return textCost + contextCost + 20 * (pipedFrom.length + substituted.length);
}
