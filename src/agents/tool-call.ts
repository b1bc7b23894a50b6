import { isPlainObject } from "../event/canonical.ts";
import { isToolKind, type ToolKind } from "../event/tool-kind.ts";
import { agentProfiles, defaultAgentProfile, findAgentProfile } from "./agent-profiles.ts";
import { genericTools } from "./generic-tools.ts";
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
  /** A name; events from other programs may hold anything here. */
  readonly toolName?: unknown;
  /** As the agent's translator recorded it; absent in events from earlier versions. */
  readonly toolKind?: unknown;
}

export interface CallWithInput extends NamedCall {
  readonly toolInput?: unknown;
  /** As recorded with the call: one line. */
  readonly subject?: unknown;
}

/** The only place that goes by a tool's name: for calls recorded without a kind, and for the finer form. */
export function formOfCall({ toolName, toolKind }: NamedCall): ToolForm {
  const formByName = typeof toolName === "string" ? tableOf(toolName).formOf(toolName) : undefined;
  if (!isToolKind(toolKind)) return formByName ?? "other";
  // Another agent may use the same name for something else.
  return formByName !== undefined && kindOfForm(formByName) === toolKind ? formByName : toolKind;
}

/** The form by which an output is truncated. An event recorded without a kind must come out as that
 *  earlier version truncated it, so names used by other agents are not considered. */
export function formOfOutput(call: NamedCall): ToolForm {
  const { toolName, toolKind } = call;
  if (isToolKind(toolKind)) return formOfCall(call);
  return typeof toolName === "string" ? defaultAgentProfile.tools.formOf(toolName) : "other";
}

/** Whether a name is an agent's built-in tool rather than an MCP server's: a bounded set. */
export function isBuiltInTool(name: string): boolean {
  return agentProfiles.some(({ id, tools }) => findAgentProfile(id) !== undefined && tools.names.has(name));
}

/** The form to judge a request by. Without one, only the default agent's tool names are considered. */
export function formOfRequest(request: {
  readonly toolName: string;
  readonly toolForm?: ToolForm;
}): ToolForm {
  return request.toolForm ?? defaultAgentProfile.tools.formOf(request.toolName);
}

/** The form by which a recorded call is judged; empty if no kind was recorded. */
export function recordedForm(call: NamedCall): { readonly toolForm?: ToolForm } {
  return isToolKind(call.toolKind) ? { toolForm: formOfCall(call) } : {};
}

function tableOf(name: string): ToolTable {
  return agentProfiles.find(({ tools }) => tools.names.has(name))?.tools ?? genericTools;
}

export function kindOfCall(call: NamedCall): ToolKind {
  return kindOfForm(formOfCall(call));
}

/** What a pending call requests from the user. */
export function requestKindOf(call: NamedCall): "question" | "plan" | "permission" {
  const kind = kindOfCall(call);
  return kind === "question" || kind === "plan" ? kind : "permission";
}

export function isEditCall(call: NamedCall): boolean {
  const kind = kindOfCall(call);
  return kind === "edit" || kind === "write";
}

export function pathsOfCall(call: CallWithInput): readonly string[] {
  return pathsOfForm(formOfCall(call), call.toolInput);
}

const MAX_TEXT_CHARS = 10_000;

/** The exact text a call is about: the command, the file, the question; else its whole input. */
export function textOfCall(call: CallWithInput): string {
  const { toolInput: input } = call;
  const subject = subjectOfForm(formOfCall(call), input);
  if (subject !== null) return subject.slice(0, MAX_TEXT_CHARS);
  if (input === undefined || input === null) return "";
  if (isPlainObject(input) && Object.keys(input).length === 0) return "";
  return (typeof input === "string" ? input : JSON.stringify(input)).slice(0, MAX_TEXT_CHARS);
}

/**
 * What a call is about, for a list: its recorded subject, else derived from its input (for a search,
 * including where); null if unknown. `shorten` abbreviates a path the way the list shows paths.
 */
export function subjectOfCall(call: CallWithInput, shorten = (path: string): string => path): string | null {
  const form = formOfCall(call);
  const kind = kindOfForm(form);
  const input = asObject(call.toolInput);
  const subject = recordedSubject(call) ?? subjectOfForm(form, input);
  if (subject === null) return guessedSubject(input, shorten);
  const isPath = kind === "read" || kind === "edit" || kind === "write" || form === "list";
  if (isPath) return shorten(subject);
  return kind === "search" ? withLocation(subject, input, shorten) : subject;
}

function recordedSubject({ subject }: CallWithInput): string | null {
  return typeof subject === "string" && subject !== "" ? subject : null;
}

/** For an unknown tool, by common field names. */
function guessedSubject(input: Json, shorten: (path: string) => string): string | null {
  const path = fileOfInput(input);
  if (path !== null) return shorten(path);
  const pattern = first(input, ["pattern"]);
  if (pattern !== null) return withLocation(pattern, input, shorten);
  return questionsOf(input)[0]?.question ?? first(input, SUBJECT_FIELDS);
}

const SUBJECT_FIELDS = [
  "command",
  "path",
  "url",
  "description",
  "query",
  "skill",
  "subject",
  "plan",
  "prompt",
];

function withLocation(pattern: string, input: Json, shorten: (path: string) => string): string {
  const location = first(input, ["path", "glob"]);
  return location === null ? pattern : `${pattern}  in ${shorten(location)}`;
}

function first(input: Json, fields: readonly string[]): string | null {
  return fields.map((field) => nonEmpty(input, field)).find((value) => value !== undefined) ?? null;
}

/** An envelope with a question does not name its tool. */
export const DRIVEN_QUESTION_TOOL = [...defaultAgentProfile.tools.names].find(
  (name) => defaultAgentProfile.tools.formOf(name) === "question",
)!;
