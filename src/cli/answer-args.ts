import { AppError } from "../app-error.ts";
import { toOneOf } from "./memory-args.ts";
import { unknownOption } from "./read-args.ts";

export interface AnswerArgs {
  readonly id: string | null;
  /** The answer: every word after the id. */
  readonly words: string;
  readonly message: string | undefined;
  readonly scope: "exact" | "tool" | undefined;
  readonly json: boolean;
}

/**
 * Reads `ID ANSWER [why not …]`. The rest of the line is the answer, even words with a dash: a reason such as
 * "use -n first" reaches the agent as typed. Right after the answer, `--word` is an option.
 */
export function readAnswerArgs(raw: readonly string[]): AnswerArgs {
  const words: string[] = [];
  const flags = new Map<string, string>();
  let json = false;
  let areOptionsOver = false;
  for (let index = 0; index < raw.length; index++) {
    const word = raw[index]!;
    const [, name, value] = /^--(message|scope)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (areOptionsOver) words.push(word);
    else if (word === "--") areOptionsOver = true;
    else if (word === "--json") json = true;
    else if (name !== undefined) {
      const flagValue = value ?? raw[++index];
      if (flagValue === undefined) throw new AppError("usage", `--${name} needs a value.`);
      flags.set(name, flagValue);
    } else if ((word.startsWith("-") && words.length < 2) || (/^--\w/.test(word) && words.length === 2))
      throw unknownOption("answer", word, ["message", "scope", "json"]);
    else words.push(word);
  }
  const [id = null, ...rest] = words;
  return {
    id,
    words: rest.join(" ").trim(),
    message: flags.get("message"),
    scope: toOneOf("scope", flags.get("scope"), ["exact", "tool"]),
    json,
  };
}
