import { formOfRequest } from "../agents/tool-call.ts";
import type { ToolForm } from "../agents/tool-table.ts";
import type { PolicyRequest } from "./request.ts";

/** What a tool can do, and so how its calls are judged. An unknown tool is `other`: it is asked about. */
export type ToolClass = "person" | "inert" | "edit" | "read" | "shell" | "other";

export type JudgedTool = Pick<PolicyRequest, "toolName" | "toolForm">;

const CLASS_BY_FORM: Readonly<Record<ToolForm, ToolClass>> = {
  /** Only a person can answer them. */
  question: "person",
  plan: "person",
  /** They change and reveal nothing outside the session; what a subagent does is judged call by call. */
  agent: "inert",
  task: "inert",
  own: "inert",
  edit: "edit",
  notebook: "edit",
  write: "edit",
  read: "read",
  search: "read",
  glob: "read",
  list: "read",
  symbols: "read",
  shell: "shell",
  watch: "shell",
  powershell: "other",
  patch: "other",
  fetch: "other",
  webSearch: "other",
  skill: "other",
  mcp: "other",
  other: "other",
};

export function classOfTool(tool: JudgedTool): ToolClass {
  return CLASS_BY_FORM[formOfRequest(tool)];
}

/** A file or folder that a tool's input names. */
export interface NamedPath {
  readonly path: string;
  readonly access: "read" | "write" | "either" | "names";
}

const PATH_FIELD =
  /^(?:p|path|paths|pathname|file|files|uri|dest|destination|dst|source|src|target|dir|folder|output|input|filename|fname|location|document|from|to)$|(?:path|file|file_?name|_uri|folder|directory|paths|files)$/i;
const WRITES =
  /write|edit|create|update|delete|remove|move|rename|append|save|put|patch|insert|replace|copy|set|upload|mkdir|touch|modify|store|export|download|add|apply|commit/i;
const READS = /read|get|list|search|find|stat|view|open|fetch|load|show|describe|query|info|tree/i;

/** The files and folders an input names, and what the tool would do to them. */
export function namedPaths(tool: JudgedTool, input: Readonly<Record<string, unknown>>): readonly NamedPath[] {
  const text = (key: string): readonly string[] => (typeof input[key] === "string" ? [input[key]] : []);
  const named = (access: NamedPath["access"], paths: readonly string[]): readonly NamedPath[] =>
    paths.map((path) => ({ path, access }));
  const { toolName } = tool;
  const form = formOfRequest(tool);
  switch (CLASS_BY_FORM[form]) {
    case "edit":
      return named("write", [...["file_path", "notebook_path", "path", "filePath"].flatMap(text)]);
    case "read": {
      const listsOnly = form === "glob" || form === "list";
      return named(listsOnly ? "names" : "read", [
        ...["file_path", "notebook_path", "path", "filePath", "file", "uri"].flatMap(text),
        ...(form === "search" ? text("glob") : []),
      ]);
    }
    case "shell":
    case "person":
    case "inert":
      return [];
    case "other": {
      const access = accessOf(toolName);
      // A tool that opens a file and has content for it writes.
      const hasContent = Object.keys(input).some((key) =>
        /^(?:contents?|text|data|body|new_?text|file_?text)$/i.test(key),
      );
      const paths = pathFields(input).filter((path) => !isHttpRoute(toolName, path));
      return named(access === "read" && hasContent ? "either" : access, paths);
    }
  }
}

export function isWriterTool(toolName: string): boolean {
  return accessOf(toolName) === "write";
}

function accessOf(toolName: string): "read" | "write" | "either" {
  const name = toolName.split("__").at(-1) ?? toolName;
  if (WRITES.test(name)) return "write";
  return READS.test(name) ? "read" : "either";
}

function pathFields(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (PATH_FIELD.test(key)) {
      const texts = Array.isArray(inner) ? inner : [inner];
      const strings = texts.filter((text): text is string => typeof text === "string" && isPathLike(text));
      if (strings.length > 0) return strings;
    }
    return pathFields(inner);
  });
}

/** `/oauth/access_token` of an HTTP server. */
export function isHttpRoute(toolName: string, text: string): boolean {
  return (
    /(?:^|_)(?:https?|rest|api|openapi|web)(?:_|$)/i.test(toolName) &&
    /^\/(?:api|rest|v\d+|oauth2?|auth|graphql|login|users?|tokens?)(?:[/?]|$)/i.test(text)
  );
}

function isPathLike(text: string): boolean {
  return text.length > 0 && !text.includes("\n") && !/^[a-z]+:\/\/(?<!file:\/\/)/i.test(text);
}

/** The script a tool would run; null when it runs none. MCP tools that run commands use the same names. */
export function scriptOf(tool: JudgedTool, input: Readonly<Record<string, unknown>>): string | null {
  const command =
    input["command"] ?? input["cmd"] ?? (formOfRequest(tool) === "shell" ? undefined : input["script"]);
  if (typeof command !== "string") return null;
  const args = input["args"];
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) return command;
  return [command, ...args.map(quote)].join(" ");
}

/** Fields of other tools that hold text for people or models. */
const TEXT_FIELD =
  /^(?:content|contents|text|body|message|prompt|query|description|title|summary|comment|reason|data|html|markdown|url|pattern|regex|old_?string|new_?string|old_?str|new_?str)$/i;

/** Anything else in another tool's input that looks like a file: values of other fields, and field names. */
export function mentionedPaths(
  tool: JudgedTool,
  input: Readonly<Record<string, unknown>>,
): readonly NamedPath[] {
  if (classOfTool(tool) !== "other") return [];
  const { toolName } = tool;
  const access = accessOf(toolName) === "read" ? "read" : "either";
  return textsUnder(input)
    .filter((text) => /^[.~/]|[^:/]\/[^/]/.test(text) && !/\s/.test(text) && isPathLike(text))
    .filter((text) => !isHttpRoute(toolName, text))
    .map((path) => ({ path, access }));
}

function textsUnder(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isText =
      TEXT_FIELD.test(key) && !(/^url$/i.test(key) && typeof inner === "string" && /^[~/.]/.test(inner));
    if (isText || (typeof inner === "string" && namesNoFile(key, inner))) return [];
    return [key, ...textsUnder(inner)];
  });
}

export function isPathKey(key: string): boolean {
  return PATH_FIELD.test(key);
}

/** Whether a value selects elements of a page. */
export function isSelector(key: string): boolean {
  return /selector|css|xpath|class_?name|emoji|icon/i.test(key);
}

/** Whether a value names something else: a branch, a label, an element of a page. */
export function namesNoFile(key: string, text: string): boolean {
  if (isSelector(key)) return true;
  return (
    /branch|^base$|^head$|^sha$|^commit$|^revision$|tags?$|labels?$|channel/i.test(key) &&
    !/^[~./]|:/.test(text)
  );
}

/** Whether a field of another tool holds text that is not judged. */
export function isTextField(key: string): boolean {
  return TEXT_FIELD.test(key);
}

const COMMAND_FIELD = /^(?:command|cmd|bash|shell)s?$|command_?line$|_?command$/i;
/** May be any language: only obvious danger counts. */
const CODE_FIELD = /^(?:code|script|source|exec|run|input)$/i;

/** Further scripts that another tool may run. */
export function mentionedScripts(
  tool: JudgedTool,
  input: Readonly<Record<string, unknown>>,
): { readonly commands: readonly string[]; readonly code: readonly string[] } {
  if (classOfTool(tool) !== "other") return { commands: [], code: [] };
  return { commands: scriptsUnder(input, COMMAND_FIELD), code: scriptsUnder(input, CODE_FIELD) };
}

function scriptsUnder(value: unknown, field: RegExp): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!field.test(key)) return scriptsUnder(inner, field);
    if (typeof inner === "string") return [inner];
    const words = Array.isArray(inner) && inner.every((word) => typeof word === "string") ? inner : [];
    return words.length === 0 ? scriptsUnder(inner, field) : [words.map(quote).join(" "), ...words];
  });
}

/** Tools that remove what their path names. */
export function isRemoverTool(toolName: string): boolean {
  return /delete|remove|unlink|rmdir|rmtree|trash|wipe|purge|(?:^|_)rm(?:_|$)/i.test(
    toolName.split("__").at(-1) ?? "",
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
