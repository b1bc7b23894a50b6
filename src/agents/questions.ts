import { isPlainObject } from "../event/canonical.ts";

/** A question of an agent to its user. */
export interface Question {
  question: string;
  header: string | null;
  multiSelect: boolean;
  options: { label: string; description: string | null }[];
}

/** The questions that a call asks, as far as they have the known shape. */
export function questionsOf(input: unknown): Question[] {
  return rawQuestionsOf(input).map((entry) => ({
    ...entry,
    options: entry.options.flatMap(({ label, description }) =>
      label === null ? [] : [{ label, description }],
    ),
  }));
}

/** A question whose options keep the positions a request shows them in, including those without a label. */
export type RawQuestion = Omit<Question, "options"> & {
  readonly options: readonly { readonly label: string | null; readonly description: string | null }[];
};

export function rawQuestionsOf(input: unknown): RawQuestion[] {
  const rawQuestions = isPlainObject(input) ? input["questions"] : undefined;
  if (!Array.isArray(rawQuestions)) return [];
  return rawQuestions.filter(isPlainObject).flatMap((entry) => {
    const question = text(entry["question"]);
    if (question === null) return [];
    const options = (Array.isArray(entry["options"]) ? entry["options"] : []).map((option: unknown) =>
      isPlainObject(option)
        ? { label: text(option["label"]), description: text(option["description"]) }
        : { label: text(option), description: null },
    );
    return [{ question, header: text(entry["header"]), multiSelect: entry["multiSelect"] === true, options }];
  });
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
