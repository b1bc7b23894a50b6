import { isPlainObject } from "../event/canonical.ts";
import { isToolKind, type ToolKind } from "../event/tool-kind.ts";
import { genericTools } from "./generic-tools.ts";
import { firstWords, knownWords, wordsOf } from "./known-words.ts";
import { questionsOf } from "./questions.ts";
import { asObject, type Json, nonEmpty } from "./read-json.ts";
import {
  fileOfInput,
  kindOfForm,
  pathsOfForm,
  subjectOfForm,
  type ToolForm,
  type ToolTable,
} from "./tool-table.ts";

/** A tool call as events, requests and items describe it. */
export interface NamedCall {
  /** A name; events of other programs may hold anything here. */
  readonly toolName?: unknown;
  /** As the agent's translator recorded it; missing where an earlier version recorded it. */
  readonly toolKind?: unknown;
}

export interface GivenCall extends NamedCall {
  readonly toolInput?: unknown;
  /** As recorded with the call: one line. */
  readonly subject?: unknown;
}

/** The one place that goes by a tool's name: for calls that were recorded without their kind, and for its finer form. */
export function formOfCall({ toolName, toolKind }: NamedCall): ToolForm {
  const named = typeof toolName === "string" ? tableOf(toolName).formOf(toolName) : undefined;
  if (!isToolKind(toolKind)) return named ?? "other";
  // Another agent may use the same name for something else.
  return named !== undefined && kindOfForm(named) === toolKind ? named : toolKind;
}

/** By which an output is cut. What an earlier version recorded without a kind must come out as that version cut it: no
 *  guess by names that other agents use. */
export function formOfOutput(call: NamedCall): ToolForm {
  const { toolName, toolKind } = call;
  if (isToolKind(toolKind)) return formOfCall(call);
  return typeof toolName === "string" ? firstWords.tools.formOf(toolName) : "other";
}

/** Whether a name is an agent's own and no server's: there are only so many. */
export function isBuiltInTool(name: string): boolean {
  return knownWords.some(({ id, tools }) => wordsOf(id) !== undefined && tools.names.has(name));
}

/** Of a request to be judged. What names no form is a tool of the first agent: no guess by names that others use. */
export function formOfRequest(request: {
  readonly toolName: string;
  readonly toolForm?: ToolForm;
}): ToolForm {
  return request.toolForm ?? firstWords.tools.formOf(request.toolName);
}

/** The form to judge a recorded call by; nothing where no kind was recorded. */
export function recordedForm(call: NamedCall): { readonly toolForm?: ToolForm } {
  return isToolKind(call.toolKind) ? { toolForm: formOfCall(call) } : {};
}

function tableOf(name: string): ToolTable {
  return knownWords.find(({ tools }) => tools.names.has(name))?.tools ?? genericTools;
}

export function kindOfCall(call: NamedCall): ToolKind {
  return kindOfForm(formOfCall(call));
}

/** What a person is asked for when such a call waits for them. */
export function requestKindOf(call: NamedCall): "question" | "plan" | "permission" {
  const kind = kindOfCall(call);
  return kind === "question" || kind === "plan" ? kind : "permission";
}

export function isEditCall(call: NamedCall): boolean {
  const kind = kindOfCall(call);
  return kind === "edit" || kind === "write";
}

export function pathsOfCall(call: GivenCall): readonly string[] {
  return pathsOfForm(formOfCall(call), call.toolInput);
}

const MAX_TEXT = 10_000;

/** What a call is about, in its exact words: the command, the file, the question; else all of its input. */
export function textOfCall(call: GivenCall): string {
  const { toolInput: input } = call;
  const subject = subjectOfForm(formOfCall(call), input);
  if (subject !== null) return subject.slice(0, MAX_TEXT);
  if (input === undefined || input === null) return "";
  if (isPlainObject(input) && Object.keys(input).length === 0) return "";
  return (typeof input === "string" ? input : JSON.stringify(input)).slice(0, MAX_TEXT);
}

/**
 * What a call is about, for a list: its recorded subject, else what its input tells, of a search also where; null when
 * nothing does. `shorten` writes a path the way the list shows paths.
 */
export function subjectOfCall(call: GivenCall, shorten = (path: string): string => path): string | null {
  const form = formOfCall(call);
  const kind = kindOfForm(form);
  const input = asObject(call.toolInput);
  const told = recorded(call) ?? subjectOfForm(form, input);
  if (told === null) return guessedSubject(input, shorten);
  const isPath = kind === "read" || kind === "edit" || kind === "write" || form === "list";
  if (isPath) return shorten(told);
  return kind === "search" ? withPlace(told, input, shorten) : told;
}

function recorded({ subject }: GivenCall): string | null {
  return typeof subject === "string" && subject !== "" ? subject : null;
}

/** Of a tool that nobody knows, by the names that fields commonly have. */
function guessedSubject(input: Json, shorten: (path: string) => string): string | null {
  const path = fileOfInput(input);
  if (path !== null) return shorten(path);
  const pattern = first(input, ["pattern"]);
  if (pattern !== null) return withPlace(pattern, input, shorten);
  return questionsOf(input)[0]?.question ?? first(input, WORDS);
}

const WORDS = ["command", "path", "url", "description", "query", "skill", "subject", "plan", "prompt"];

function withPlace(pattern: string, input: Json, shorten: (path: string) => string): string {
  const place = first(input, ["path", "glob"]);
  return place === null ? pattern : `${pattern}  in ${shorten(place)}`;
}

function first(input: Json, fields: readonly string[]): string | null {
  return fields.map((field) => nonEmpty(input, field)).find((value) => value !== undefined) ?? null;
}

/** An envelope with a question does not name its tool. */
export const DRIVEN_QUESTION_TOOL = [...firstWords.tools.names].find(
  (name) => firstWords.tools.formOf(name) === "question",
)!;
