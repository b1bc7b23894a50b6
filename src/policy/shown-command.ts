import type { ShellCommand } from "./shell/shell-reading.ts";

/** A command in a sentence. */
export function shown(command: ShellCommand): string {
  const text = command.layers.at(-1) ?? command.name;
  const line = text.replace(/\s+/g, " ");
  return `\`${line.length > 100 ? `${line.slice(0, 99)}…` : line}\``;
}
