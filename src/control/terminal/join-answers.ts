import { isPlainObject } from "../../event/canonical.ts";

/** Two answers to one hook made one: what blocks stands alone, what is told to the model is joined. */
export function joinAnswers(first: object | null, second: object | null): object | null {
  if (first === null || second === null) return first ?? second;
  if (isBlock(first)) return first;
  if (isBlock(second)) return second;
  const contexts = [first, second].flatMap((answer) => contextOf(answer) ?? []);
  const said = "hookSpecificOutput" in second ? second.hookSpecificOutput : undefined;
  return {
    ...first,
    ...second,
    ...(isPlainObject(said) && {
      hookSpecificOutput: {
        ...said,
        ...(contexts.length > 0 && { additionalContext: contexts.join("\n\n") }),
      },
    }),
  };
}

function isBlock(answer: object): boolean {
  return "decision" in answer && answer.decision === "block";
}

function contextOf(answer: object): string | null {
  if (!("hookSpecificOutput" in answer) || !isPlainObject(answer.hookSpecificOutput)) return null;
  const { additionalContext } = answer.hookSpecificOutput;
  return typeof additionalContext === "string" ? additionalContext : null;
}
