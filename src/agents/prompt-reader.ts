/**
 * Who wrote a prompt: a person; a machine, which starts a turn that no person requested; or the agent itself,
 * as a reminder or to show a command and its output.
 */
export type PromptAuthor = "person" | "machine" | "reminder" | "command";

/** Interprets the text that an agent itself puts into prompts. */
export interface PromptReader {
  /** Occurs in every payload with a prompt, and in few others: a batch checks those payloads first. */
  readonly payloadMarker: string;
  authorOf(prompt: string): PromptAuthor;
  /** The id of the call whose end a machine-written prompt reports. */
  reportedCall(prompt: string): string | undefined;
}

/** Asks every reader: a prompt of any agent may arrive through any channel. */
export function joinPromptReaders(readers: readonly PromptReader[]): JoinedPromptReader {
  const authorOf = (prompt: string): PromptAuthor =>
    readers.map((reader) => reader.authorOf(prompt)).find((author) => author !== "person") ?? "person";
  return {
    payloadMarkers: readers.map(({ payloadMarker }) => payloadMarker),
    authorOf,
    isMachine: (prompt) => authorOf(prompt) === "machine",
    reportedCall: (prompt) =>
      readers.map((reader) => reader.reportedCall(prompt)).find((id) => id !== undefined),
  };
}

export type JoinedPromptReader = Omit<PromptReader, "payloadMarker"> & {
  readonly payloadMarkers: readonly string[];
  isMachine(prompt: string): boolean;
};
