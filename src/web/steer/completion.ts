/** What can be completed at the caret of a message. */
export interface Completion {
  readonly kind: "command" | "file";
  /** Where the completed text starts, after `/` or `@`. */
  readonly from: number;
  readonly typed: string;
}

/** A slash command at the start of the message, or a mentioned file anywhere. */
export function completionAt(text: string, caret: number): Completion | null {
  const before = text.slice(0, caret);
  const command = /^\/([\w:-]*)$/.exec(before);
  if (command !== null) return { kind: "command", from: 1, typed: command[1]! };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file === null ? null : { kind: "file", from: before.length - file[1]!.length, typed: file[1]! };
}

/** Inserts the option and returns the new text and caret. A folder gets no space, so it can be completed further. */
export function applyCompletion(
  text: string,
  caret: number,
  { from }: Completion,
  option: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(caret);
  const inserted = option.endsWith("/") || rest.startsWith(" ") ? option : `${option} `;
  return { text: text.slice(0, from) + inserted + rest, caret: from + inserted.length };
}

/** Names that start as typed, then those that contain it. */
export function matchCommands(commands: readonly string[], typed: string): string[] {
  const query = typed.toLowerCase();
  const startsWithQuery = (name: string): boolean => name.toLowerCase().startsWith(query);
  return commands
    .filter((name) => name.toLowerCase().includes(query))
    .sort((a, b) => Number(startsWithQuery(b)) - Number(startsWithQuery(a)) || (a < b ? -1 : 1));
}
