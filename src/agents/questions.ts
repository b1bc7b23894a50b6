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
  return placedQuestionsOf(input).map((one) => ({
    ...one,
    options: one.options.flatMap(({ label, description }) =>
      label === null ? [] : [{ label, description }],
    ),
  }));
}

/** A question whose options stand in the places in which a request shows them; those without a label, too. */
export type PlacedQuestion = Omit<Question, "options"> & {
  readonly options: readonly { readonly label: string | null; readonly description: string | null }[];
};

export function placedQuestionsOf(input: unknown): PlacedQuestion[] {
  const asked = isPlainObject(input) ? input["questions"] : undefined;
  if (!Array.isArray(asked)) return [];
  return asked.filter(isPlainObject).flatMap((one) => {
    const question = text(one["question"]);
    if (question === null) return [];
    const options = (Array.isArray(one["options"]) ? one["options"] : []).map((option: unknown) =>
      isPlainObject(option)
        ? { label: text(option["label"]), description: text(option["description"]) }
        : { label: text(option), description: null },
    );
    return [{ question, header: text(one["header"]), multiSelect: one["multiSelect"] === true, options }];
  });
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
