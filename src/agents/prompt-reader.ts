/**
 * Who wrote a prompt: a person; a machine, which starts a turn that no person asked for; or the agent itself, as a
 * reminder or to show a command and what it printed.
 */
export type PromptWriter = "person" | "machine" | "reminder" | "command";

/** What an agent's own words in a prompt say. */
export interface PromptReader {
  /** Stands in every payload that brings a prompt, and in few others: those of a batch are looked at first. */
  readonly mark: string;
  writerOf(prompt: string): PromptWriter;
  /** The id of the call whose end a prompt that a machine wrote reports. */
  reportedCall(prompt: string): string | undefined;
}

/** Asks all of them: a prompt of any agent may come by any way. */
export function joinPromptReaders(readers: readonly PromptReader[]): JoinedPromptReader {
  const writerOf = (prompt: string): PromptWriter =>
    readers.map((reader) => reader.writerOf(prompt)).find((writer) => writer !== "person") ?? "person";
  return {
    marks: readers.map(({ mark }) => mark),
    writerOf,
    isMachine: (prompt) => writerOf(prompt) === "machine",
    reportedCall: (prompt) =>
      readers.map((reader) => reader.reportedCall(prompt)).find((id) => id !== undefined),
  };
}

export type JoinedPromptReader = Omit<PromptReader, "mark"> & {
  readonly marks: readonly string[];
  isMachine(prompt: string): boolean;
};
