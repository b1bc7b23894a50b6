import { knownWords } from "./known-words.ts";

const MARKS = knownWords.flatMap(({ commandMark }) => commandMark ?? []);

/** Whether an environment is that of a command which an agent runs. A courtesy: it can be unset. */
export function isRunByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return MARKS.some((name) => Boolean(env[name]));
}
