import type { PolicyRequest } from "./request.ts";
import { isTextField, kindOfTool } from "./tools.ts";

/** A command or path with more bytes is not judged. */
const MAX_JUDGED_BYTES = 32 * 1024;
const MAX_NAME = 200;
/** No folder that exists has a longer path. */
const MAX_FOLDER = 4_096;
const MAX_DEPTH = 32;
/** Texts and objects in the input of a tool that is not one of Claude Code's own. */
const MAX_VALUES = 20_000;

/**
 * Whether a request holds a command or path that is longer than what is judged. Takes no longer than the request is
 * long, so it is asked before anything else. The content of files is scanned for secrets and has no limit here.
 */
export function isTooLong({ toolName, toolInput, cwd, projectPath, workspace }: PolicyRequest): boolean {
  if (toolName.length > MAX_NAME) return true;
  if ([cwd, projectPath ?? "", ...(workspace ?? [])].some((folder) => folder.length > MAX_FOLDER))
    return true;
  const kind = kindOfTool(toolName);
  switch (kind) {
    case "person":
    case "inert":
      return false;
    case "shell":
      return fieldsOf(toolInput).some(
        ([key, value]) => /^(?:command|cmd|script|args)$/.test(key) && isLongIn(value),
      );
    case "edit":
      return fieldsOf(toolInput).some(([key, value]) => /path$/i.test(key) && isLong(value));
    case "read":
      return fieldsOf(toolInput).some(
        ([key, value]) => !(toolName === "Grep" && key === "pattern") && isLong(value),
      );
    case "other":
      return isTooLargeInput(toolInput);
    default:
      return kind satisfies never;
  }
}

/** The request without what is too long in it: enough to see which rules are meant. */
export function shortened(request: PolicyRequest): PolicyRequest {
  const { toolName, mode, cwd, projectPath, agentType } = request;
  const isFolder = (path: string): boolean => path.length <= MAX_FOLDER;
  return {
    toolName: toolName.slice(0, MAX_NAME),
    toolInput: {},
    mode,
    cwd: isFolder(cwd) ? cwd : "/",
    projectPath: projectPath != null && isFolder(projectPath) ? projectPath : null,
    ...(agentType !== undefined && { agentType }),
  };
}

/** Without recursion: the nesting is the sender's. */
function isTooLargeInput(input: unknown): boolean {
  const open: { value: unknown; key: string; depth: number }[] = [{ value: input, key: "", depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, key, depth } = next;
    if (typeof value === "string" && isLong(value) && !isTextField(key)) return true;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= MAX_DEPTH) return true;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== "string" && (typeof inner !== "object" || inner === null)) continue;
      if (++values > MAX_VALUES || isLong(name)) return true;
      open.push({ value: inner, key: Array.isArray(value) ? key : name, depth: depth + 1 });
    }
  }
  return false;
}

function fieldsOf(input: unknown): readonly (readonly [string, unknown])[] {
  return typeof input === "object" && input !== null ? Object.entries(input) : [];
}

function isLongIn(value: unknown): boolean {
  return Array.isArray(value)
    ? value.reduce<number>((sum, each) => sum + (typeof each === "string" ? each.length + 3 : 0), 0) >
        MAX_JUDGED_BYTES || value.some(isLong)
    : isLong(value);
}

function isLong(text: unknown): boolean {
  if (typeof text !== "string" || text.length * 3 <= MAX_JUDGED_BYTES) return false;
  return text.length > MAX_JUDGED_BYTES || Buffer.byteLength(text) > MAX_JUDGED_BYTES;
}
