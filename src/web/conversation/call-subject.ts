import { subjectOfCall } from "../../agents/tool-call.ts";
import { fieldsOf } from "../session/session-event.ts";
import type { Call } from "./entry.ts";

/** A call's subject on one line: the command, the file, the pattern; or else its whole input. */
export function subjectOf(
  {
    toolName,
    kind,
    subject,
    input,
  }: Pick<Call, "toolName" | "input"> & Partial<Pick<Call, "kind" | "subject">>,
  folder: string | null,
): string {
  const call = { toolName, toolKind: kind, subject, toolInput: input };
  const known = subjectOfCall(call, (path) => shortPath(path, folder));
  if (known !== null) return firstLine(known);
  const rest = Object.entries(fieldsOf(input)).filter(([key]) => !key.startsWith("$"));
  if (rest.length === 0) return typeof input === "string" ? firstLine(input) : "";
  return firstLine(
    rest
      .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("  "),
  );
}

/** A path inside the session's folder is shown relative to it. */
export function shortPath(path: string, folder: string | null): string {
  return folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

export function firstLine(text: string, maxChars = 300): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

/** Names of MCP tools are long: `mcp__memory__search` becomes `memory ▸ search`. */
export function toolLabel(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined ? name : `${server} ▸ ${tool}`;
}
