/** Deduplicates commands by the client's id: a repeated command does nothing and gets the first result. */
export interface IdempotentCommands {
  once<Answer>(kind: string, commandId: string | undefined, run: () => Promise<Answer>): Promise<Answer>;
}

const MAX_COMMANDS = 1_000;

export function createIdempotentCommands(maxCommands: number = MAX_COMMANDS): IdempotentCommands {
  const answers = new Map<string, Promise<unknown>>();
  return {
    once<Answer>(kind: string, commandId: string | undefined, run: () => Promise<Answer>): Promise<Answer> {
      if (commandId === undefined) return run();
      const key = `${kind} ${commandId}`;
      const known = answers.get(key) as Promise<Answer> | undefined;
      if (known !== undefined) return known;
      const answer = run();
      answers.set(key, answer);
      if (answers.size > maxCommands) answers.delete(answers.keys().next().value!);
      return answer;
    },
  };
}
