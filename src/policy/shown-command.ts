import type { ShellCommand } from "./shell/shell-reading.ts";

/** More of a command than a sentence can show. */
const MAX_SHOWN = 1_000;

/** A command in a sentence. */
export function shown(command: ShellCommand): string {
  const text = command.layers.at(-1) ?? command.name;
  const line = text.slice(0, MAX_SHOWN).replace(/\s+/g, " ");
  return `\`${line.length > 100 ? `${line.slice(0, 99)}…` : line}\``;
}
