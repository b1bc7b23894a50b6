/** Commands by the id that a client gave them: the same one again gets the first answer, and does nothing. */
export interface CommandMemory {
  once<Answer>(kind: string, commandId: string | undefined, act: () => Promise<Answer>): Promise<Answer>;
}

const MOST = 1_000;

export function createCommandMemory(most: number = MOST): CommandMemory {
  const answers = new Map<string, Promise<unknown>>();
  return {
    once<Answer>(kind: string, commandId: string | undefined, act: () => Promise<Answer>): Promise<Answer> {
      if (commandId === undefined) return act();
      const key = `${kind} ${commandId}`;
      const known = answers.get(key) as Promise<Answer> | undefined;
      if (known !== undefined) return known;
      const answer = act();
      answers.set(key, answer);
      if (answers.size > most) answers.delete(answers.keys().next().value!);
      return answer;
    },
  };
}
