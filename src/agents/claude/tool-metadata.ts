import { extname } from "node:path";
import type { ToolMetadata } from "../../event/event.ts";
import { asObject, type Json, number, text } from "../read-json.ts";
import type { ToolForm } from "../tool-table.ts";
import { claudeTools } from "./tools.ts";

/** The parts of a tool call worth querying by name: the file, the command and its exit code, the pattern. */
export function toolMetadata(call: ToolCall): ToolMetadata | undefined {
  const input = asObject(call.input);
  const response = asObject(call.response);
  const metadata = READERS[claudeTools.formOf(call.name)]?.(input, response, call) ?? {};
  const entries = Object.entries(metadata).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly response?: unknown;
  readonly error?: string | undefined;
  /** Undefined while the call runs. */
  readonly success?: boolean | undefined;
}

type Reader = (input: Json, response: Json, call: ToolCall) => ToolMetadata;

const readFileMetadata: Reader = (input, response, { name }) => {
  const [filePath = text(response, "filePath")] = claudeTools.pathsOf(name, input);
  return { filePath, fileType: fileType(filePath), lineCount: lineCount(input, response) };
};

const READERS: Readonly<Partial<Record<ToolForm, Reader>>> = {
  read: readFileMetadata,
  write: readFileMetadata,
  edit: readFileMetadata,
  notebook: readFileMetadata,
  shell: (input, response, call) => ({
    command: claudeTools.commandOf(call.name, input) ?? undefined,
    exitCode: exitCode(input, response, call),
  }),
  search: (input, response) => ({
    pattern: text(input, "pattern"),
    matchCount:
      number(response, "totalLines") ?? number(response, "numLines") ?? number(response, "numFiles"),
  }),
  glob: (input, response) => ({
    pattern: text(input, "pattern"),
    matchCount: number(response, "totalMatches") ?? number(response, "numFiles"),
  }),
  fetch: (input, response) => ({ url: text(input, "url"), statusCode: number(response, "code") }),
  webSearch: (input) => ({ pattern: text(input, "query") }),
};

/** Claude Code reports the code only in the text of a failure; a background command has none yet. */
function exitCode(input: Json, response: Json, call: ToolCall): number | undefined {
  if (call.error !== undefined) {
    const match = /^(?:Error: )?Exit code (\d+)/.exec(call.error);
    return match ? Number(match[1]) : undefined;
  }
  const isInBackground = response["backgroundTaskId"] !== undefined || input["run_in_background"] === true;
  return call.success !== true || isInBackground || response["interrupted"] === true ? undefined : 0;
}

function lineCount(input: Json, response: Json): number | undefined {
  const read = number(asObject(response["file"]), "totalLines");
  if (read !== undefined) return read;
  const content = text(response, "content") ?? text(input, "content");
  if (content === undefined) return undefined;
  if (content === "") return 0;
  return content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
}

function fileType(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const extension = extname(path).slice(1).toLowerCase();
  return FILE_TYPES[extension] ?? (extension || undefined);
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  ts: "typescript", tsx: "typescript", mts: "typescript", cts: "typescript", js: "javascript", jsx: "javascript",
  mjs: "javascript", cjs: "javascript", py: "python", rb: "ruby", rs: "rust", go: "go", java: "java", kt: "kotlin",
  c: "c", h: "c", cc: "cpp", cpp: "cpp", hpp: "cpp", cs: "csharp", php: "php", swift: "swift", sh: "shell",
  bash: "shell", zsh: "shell", md: "markdown", json: "json", jsonl: "json", yml: "yaml", yaml: "yaml", toml: "toml",
  html: "html", css: "css", scss: "css", sql: "sql", ipynb: "notebook", txt: "text",
}; // biome-ignore format: a table
