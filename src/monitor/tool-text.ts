import { isPlainObject } from "../event/canonical.ts";
import type { Question } from "./session-snapshot.ts";

/** The field of a tool's input that tells a person what the call is about. */
const SUBJECT: Readonly<Record<string, string>> = {
  Bash: "command",
  PowerShell: "command",
  Read: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path",
  Grep: "pattern",
  Glob: "pattern",
  WebFetch: "url",
  WebSearch: "query",
  Agent: "description",
  Task: "description",
  Skill: "skill",
  ExitPlanMode: "plan",
};

const MOST_CHARS = 10_000;

/** What a call is about, in its exact words: the command, the file, the question. */
export function toolText(toolName: string | null, input: unknown): string {
  const questions = questionsOf(input);
  if (toolName === "AskUserQuestion" && questions.length > 0)
    return questions.map(({ question }) => question).join("\n");
  const subject = toolName === null ? undefined : SUBJECT[toolName];
  const value = subject !== undefined && isPlainObject(input) ? input[subject] : undefined;
  if (typeof value === "string" && value !== "") return value.slice(0, MOST_CHARS);
  if (input === undefined || input === null || (isPlainObject(input) && Object.keys(input).length === 0))
    return "";
  return (typeof input === "string" ? input : JSON.stringify(input)).slice(0, MOST_CHARS);
}

/** The questions of an AskUserQuestion call, as far as they have the known shape. */
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

/** The first line, for a list. */
export function firstLine(text: string, most = 200): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** The same, for what a person decides on: says that more lines follow. */
export function firstOfLines(text: string): string {
  const whole = text.trim();
  const line = firstLine(whole);
  return whole.includes("\n") && !line.endsWith("…") ? `${line} …` : line;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
