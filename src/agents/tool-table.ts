import { isToolKind, type ToolKind } from "../event/tool-kind.ts";
import { questionsOf } from "./questions.ts";
import { asObject, type Json, nonEmpty } from "./read-json.ts";

/**
 * How a tool works, finer than its kind: tools of one form take the same input and are judged and summarised
 * alike. Every kind is also the form of its plainest tool. Events carry only the kind.
 */
export type ToolForm = ToolKind | keyof typeof KIND_OF_FINER_FORM;

const KIND_OF_FINER_FORM = {
  notebook: "edit",
  /** A patch that names its own files. */
  patch: "edit",
  powershell: "shell",
  /** A command that keeps running in the background and reports line by line. */
  watch: "shell",
  glob: "search",
  list: "search",
  symbols: "search",
  webSearch: "fetch",
  task: "other",
  skill: "other",
  /** Neither changes nor reveals anything outside the session: its to-do list, its background work. */
  own: "other",
} as const satisfies Readonly<Record<string, ToolKind>>;

/** The tools of one agent, by the agent's names for them. Total: accepts any name and any input. */
export interface ToolTable {
  /** The built-in tools: a bounded set, unlike the tools of MCP servers. */
  readonly names: ReadonlySet<string>;
  formOf(name: string): ToolForm;
  kindOf(name: string): ToolKind;
  /** The exact text a call is about: the command, the file, the question. Null if unknown. */
  subjectOf(name: string, input: unknown): string | null;
  /** The files that the call itself names. */
  pathsOf(name: string, input: unknown): readonly string[];
  /** The command that the call runs in a shell. */
  commandOf(name: string, input: unknown): string | null;
}

/** Builds a table from the space-separated names of each form; `formOf` handles all other names. */
export function createToolTable(
  names: Readonly<Partial<Record<ToolForm, string>>>,
  formOf: (name: string) => ToolForm,
): ToolTable {
  const forms = new Map<string, ToolForm>();
  for (const [form, toolNames] of Object.entries(names))
    for (const name of toolNames.split(" ")) forms.set(name, form as ToolForm);
  const form = (name: string): ToolForm => forms.get(name) ?? formOf(name);
  return {
    names: new Set(forms.keys()),
    formOf: form,
    kindOf: (name) => kindOfForm(form(name)),
    subjectOf: (name, input) => subjectOfForm(form(name), input),
    pathsOf: (name, input) => pathsOfForm(form(name), input),
    commandOf: (name, input) => commandOfForm(form(name), input),
  };
}

export function kindOfForm(form: ToolForm): ToolKind {
  return isToolKind(form) ? form : KIND_OF_FINER_FORM[form];
}

export function subjectOfForm(form: ToolForm, input: unknown): string | null {
  if (form !== "question") return first(asObject(input), SUBJECT_FIELDS[form]);
  const questions = questionsOf(input);
  return questions.length === 0 ? null : questions.map(({ question }) => question).join("\n");
}

export function pathsOfForm(form: ToolForm, input: unknown): readonly string[] {
  const kind = kindOfForm(form);
  if (kind !== "read" && kind !== "edit" && kind !== "write") return [];
  const path = first(asObject(input), FILE_FIELDS);
  return path === null ? [] : [path];
}

function commandOfForm(form: ToolForm, input: unknown): string | null {
  return kindOfForm(form) === "shell" ? first(asObject(input), COMMAND_FIELDS) : null;
}

/** The one file that an input names, for any tool. */
export function fileOfInput(input: unknown): string | null {
  return first(asObject(input), ["file_path", "notebook_path"]);
}

const FILE_FIELDS = ["file_path", "notebook_path", "filePath", "absolute_path"];
const COMMAND_FIELDS = ["command", "cmd"];

/** The fields that may hold a call's subject; the first present one counts. */
const SUBJECT_FIELDS: Readonly<Record<ToolForm, readonly string[]>> = {
  read: FILE_FIELDS,
  edit: FILE_FIELDS,
  write: FILE_FIELDS,
  notebook: FILE_FIELDS,
  patch: [],
  shell: COMMAND_FIELDS,
  powershell: COMMAND_FIELDS,
  watch: COMMAND_FIELDS,
  search: ["pattern", "query"],
  glob: ["pattern"],
  list: ["path", "dir_path"],
  symbols: [],
  fetch: ["url"],
  webSearch: ["query"],
  agent: ["description"],
  question: [],
  plan: ["plan"],
  skill: ["skill"],
  task: [],
  own: [],
  mcp: [],
  other: [],
};

function first(input: Json, fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = nonEmpty(input, field);
    if (value !== undefined) return value;
  }
  return null;
}
