import type { ShellCommand } from "./shell/shell-reading.ts";

/** The most of a command that fits into a sentence. */
const MAX_SHOWN = 1_000;

/** Formats a command for a sentence. */
export function displayCommand(command: ShellCommand): string {
  const text = command.layers.at(-1) ?? command.name;
  const line = text.slice(0, MAX_SHOWN).replace(/\s+/g, " ");
  return `\`${line.length > 100 ? `${line.slice(0, 99)}…` : line}\``;
}
