import type { ShellCommand } from "./shell/shell-reading.ts";

/** Hookline commands whose words are only searched for, or judged: `hookline search 'rm -rf /'`. */
export function isTextOnlyCommand({ name, args }: ShellCommand): boolean {
  if (name !== "hookline") return false;
  const [verb, next] = args.map((word) => word.text).filter((text) => !text.startsWith("-"));
  return verb === "search" || verb === "ask" || (verb === "policy" && next === "test");
}
