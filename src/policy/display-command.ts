import type { ShellCommand } from "./shell/shell-reading.ts";

/** Limits the work on a long command; the result is shorter. */
const MAX_SCANNED_LENGTH = 1_000;

/** Formats a command for a sentence. */
export function displayCommand(command: ShellCommand): string {
  const text = command.layers.at(-1) ?? command.name;
  const line = text.slice(0, MAX_SCANNED_LENGTH).replace(/\s+/g, " ");
  return `\`${line.length > 100 ? `${line.slice(0, 99)}…` : line}\``;
}
