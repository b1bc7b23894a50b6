/** What an agent's own words in a prompt say. */
export interface PromptReader {
  /** Stands in every payload that brings a prompt, and in few others: those of a batch are looked at first. */
  readonly mark: string;
  /** Whether a machine wrote it: it starts a turn, but no person asked for it. */
  isMachine(prompt: string): boolean;
  /** Whether it is a reminder of the agent's own: nobody typed it. */
  isReminder(prompt: string): boolean;
  /** Whether the agent made it beside what `isMachine` knows: reminders, commands and what they printed. */
  isAgentMade(prompt: string): boolean;
  /** The id of the call whose end a prompt that a machine wrote reports. */
  reportedCall(prompt: string): string | undefined;
}

/** Asks all of them: a prompt of any agent may come by any way. */
export function joinPromptReaders(readers: readonly PromptReader[]): JoinedPromptReader {
  return {
    marks: readers.map(({ mark }) => mark),
    isMachine: (prompt) => readers.some((reader) => reader.isMachine(prompt)),
    isReminder: (prompt) => readers.some((reader) => reader.isReminder(prompt)),
    isAgentMade: (prompt) => readers.some((reader) => reader.isAgentMade(prompt)),
    reportedCall: (prompt) =>
      readers.map((reader) => reader.reportedCall(prompt)).find((id) => id !== undefined),
  };
}

export type JoinedPromptReader = Omit<PromptReader, "mark"> & { readonly marks: readonly string[] };
