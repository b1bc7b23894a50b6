import { fieldsOf, textOf } from "./session-event.ts";

/** What a call is about in one line: the command, the file, the pattern. */
export function subjectOf(toolName: string, input: unknown, folder: string | null): string {
  const fields = fieldsOf(input);
  const first = (...keys: string[]): string | null => {
    for (const key of keys) if (textOf(fields[key]) !== null) return textOf(fields[key]);
    return null;
  };
  const path = first("file_path", "notebook_path");
  if (path !== null) return shortPath(path, folder);
  const pattern = first("pattern");
  if (pattern !== null) {
    const where = first("path", "glob");
    return where === null ? pattern : `${pattern}  in ${shortPath(where, folder)}`;
  }
  const questions = fields["questions"];
  if (Array.isArray(questions)) return textOf(fieldsOf(questions[0])["question"]) ?? toolName;
  const said = first("command", "description", "url", "query", "skill", "subject", "plan", "prompt");
  if (said !== null) return firstLine(said);
  const rest = Object.entries(fields).filter(([key]) => !key.startsWith("$"));
  if (rest.length === 0) return typeof input === "string" ? firstLine(input) : "";
  return firstLine(
    rest
      .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("  "),
  );
}

/** Within the session's folder a path needs no more than its own part. */
export function shortPath(path: string, folder: string | null): string {
  return folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

export function firstLine(text: string, most = 300): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Names of servers' tools are long: `mcp__memory__search` is `memory ▸ search`. */
export function toolLabel(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined ? name : `${server} ▸ ${tool}`;
}
