import { formOfRequest } from "../agents/tool-call.ts";
import type { PolicyRequest } from "./request.ts";
import { classOfTool, isTextField } from "./tools.ts";

/** A command or path with more bytes is not judged. */
const MAX_JUDGED_BYTES = 32 * 1024;
const MAX_NAME_LENGTH = 200;
/** No existing folder has a longer path. */
const MAX_FOLDER_LENGTH = 4_096;
const MAX_DEPTH = 32;
/** The limit for fields and elements of an input, at any depth. */
const MAX_VALUES = 20_000;

/**
 * Whether a request has a command or path too long to judge, or more values than are checked. Takes linear time, so it
 * is checked before anything else. The content of files is scanned for secrets and may have any length.
 */
export function isTooLong(request: PolicyRequest): boolean {
  const { toolName, toolInput, cwd, projectPath, workspace } = request;
  if (toolName.length > MAX_NAME_LENGTH) return true;
  if ([cwd, projectPath ?? "", ...(workspace ?? [])].some((folder) => folder.length > MAX_FOLDER_LENGTH))
    return true;
  const kind = classOfTool(request);
  switch (kind) {
    case "person":
    case "inert":
      return false;
    case "shell":
      return isTooLarge(toolInput, (key) => /^(?:command|cmd|script|args)$/.test(key));
    case "edit":
      return isTooLarge(toolInput, (key) => /path$/i.test(key));
    case "read":
      return isTooLarge(toolInput, (key) => !(formOfRequest(request) === "search" && key === "pattern"));
    case "other":
      return isTooLarge(toolInput, (key) => !isTextField(key));
    default:
      return kind satisfies never;
  }
}

/** The request without its overlong texts: enough to see which rules apply. */
export function withoutLongTexts(request: PolicyRequest): PolicyRequest {
  const { toolName, toolForm, mode, cwd, projectPath, agentType } = request;
  const isFolder = (path: string): boolean => path.length <= MAX_FOLDER_LENGTH;
  return {
    toolName: toolName.slice(0, MAX_NAME_LENGTH),
    ...(toolForm !== undefined && { toolForm }),
    toolInput: {},
    mode,
    cwd: isFolder(cwd) ? cwd : "/",
    projectPath: projectPath != null && isFolder(projectPath) ? projectPath : null,
    ...(agentType !== undefined && { agentType }),
  };
}

/** `isJudged` says by its field whether a text is judged. Not recursive: the sender controls the nesting. */
function isTooLarge(input: unknown, isJudged: (key: string) => boolean): boolean {
  const pending: { value: unknown; key: string; depth: number }[] = [{ value: input, key: "", depth: 0 }];
  let values = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, key, depth } = next;
    if (isLong(value) && isJudged(key)) return true;
    if (typeof value !== "object" || value === null) continue;
    values += Array.isArray(value) ? value.length : 0;
    if (depth >= MAX_DEPTH || values > MAX_VALUES) return true;
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      if (++values > MAX_VALUES || isLong(name)) return true;
      const inner = (value as Readonly<Record<string, unknown>>)[name];
      pending.push({ value: inner, key: Array.isArray(value) ? key : name, depth: depth + 1 });
    }
  }
  return false;
}

function isLong(text: unknown): boolean {
  if (typeof text !== "string" || text.length * 3 <= MAX_JUDGED_BYTES) return false;
  return text.length > MAX_JUDGED_BYTES || Buffer.byteLength(text) > MAX_JUDGED_BYTES;
}
