import { z } from "zod";

/** No rule needs a longer pattern. */
const MAX_PATTERN_LENGTH = 500;

/** A regular expression in a rules file: it compiles and takes no exponential time. Ignores case. */
export const Pattern = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    const problem = patternProblem(source);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

export function toRegExp(pattern: string, flags = "iu"): RegExp {
  return new RegExp(pattern, flags);
}

/** What is wrong with a pattern, as the end of a sentence; null when it is fine. */
export function patternProblem(source: string): string | null {
  if (source.length > MAX_PATTERN_LENGTH)
    return `the regular expression has more than ${MAX_PATTERN_LENGTH} characters`;
  try {
    toRegExp(source);
  } catch (error) {
    return `not a regular expression: ${(error as Error).message.replace(/^Invalid regular expression: /, "")}`;
  }
  if (/\\[1-9]|\\k</u.test(source)) return "a regular expression may not refer back to its groups";
  if (repeatsRepetition(source))
    return "a repetition that holds a repetition or a choice, such as (a+)+ or (a|b)*, can take for ever";
  return null;
}

/** More worst-case steps take too long. */
const MAX_STEPS = 1e9;

/** Whether a pattern may take forever on a text of this length. */
export function isTooCostly(source: string, text: string): boolean {
  return stepsOf(source, text) > MAX_STEPS;
}

/** A pattern's worst-case steps, as work: enough of them move a request to the thread for slow ones. */
export function patternWork(source: string, text: string): number {
  return Math.min(300_000, stepsOf(source, text) / 20);
}

/** Each repetition may retry every position of the text. */
function stepsOf(source: string, text: string): number {
  const repetitions = (source.replace(/\\./g, "").match(/[*+]|\{\d*,\d*\}/g) ?? []).length;
  return text.length ** (repetitions + 1);
}

/** Whether a group that repeats without limit contains, at any depth, a repetition, choice or option. */
function repeatsRepetition(source: string): boolean {
  const groups: { repeats: boolean }[] = [{ repeats: false }];
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "[") at = classEnd(source, at);
    else if (char === "(") {
      groups.push({ repeats: false });
      // The kind of group.
      if (source[at + 1] === "?") at++;
    } else if (char === ")") {
      const inner = groups.length > 1 ? groups.pop()! : { repeats: false };
      if (inner.repeats && repetitionAt(source, at + 1)) return true;
      if (inner.repeats) groups.at(-1)!.repeats = true;
    } else if (char === "|" || char === "?" || repetitionAt(source, at)) groups.at(-1)!.repeats = true;
  }
  return false;
}

/** `*`, `+`, `{2,}`, or a count so high that it is effectively unlimited; not `?`. */
function repetitionAt(source: string, at: number): boolean {
  const char = source[at];
  if (char === "*" || char === "+") return true;
  if (char !== "{") return false;
  const counted = /^\{(\d+)(,(\d*))?\}/u.exec(source.slice(at));
  if (counted === null) return false;
  const max = counted[2] === undefined ? counted[1] : counted[3];
  return max === "" || Number(max) > 10;
}

function classEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "]") return at;
  }
  return source.length;
}
