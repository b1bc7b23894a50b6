/** The tools of Claude Code, by what they can do. One that is not here is asked about. */

export type ToolKind = "person" | "inert" | "edit" | "read" | "shell" | "other";

const KINDS: Readonly<Record<Exclude<ToolKind, "other">, string>> = {
  /** Only a person can answer them. */
  person: "AskUserQuestion ExitPlanMode",
  /** They change and tell nothing outside the session; what a subagent does is judged call by call. */
  inert:
    "EnterPlanMode TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop BashOutput AgentOutputTool KillShell KillBash ToolSearch StructuredOutput Agent Task ListMcpResourcesTool ListMcpResources CronList ReadNotifications",
  edit: "Edit Write MultiEdit NotebookEdit",
  read: "Read Glob Grep LS NotebookRead LSP",
  shell: "Bash Monitor",
};

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as ToolKind])),
);

export function kindOfTool(name: string): ToolKind {
  return KIND_OF.get(name) ?? "other";
}

/** A file or folder that a tool's input names. */
export interface NamedPath {
  readonly path: string;
  readonly access: "read" | "write" | "either" | "names";
}

const PATH_FIELD =
  /^(?:path|paths|file|files|uri|dest|destination|source|target|dir|folder|output|input|filename|from|to)$|(?:path|file|filename|_uri|folder|directory|paths|files)$/i;
const WRITES =
  /write|edit|create|update|delete|remove|move|rename|append|save|put|patch|insert|replace|copy|set|upload|mkdir|touch|modify|store|export|download|add|apply|commit/i;
const READS = /read|get|list|search|find|stat|view|open|fetch|load|show|describe|query|info|tree/i;

/** The files and folders an input names, and what the tool would do to them. */
export function namedPaths(toolName: string, input: Readonly<Record<string, unknown>>): readonly NamedPath[] {
  const text = (key: string): readonly string[] => (typeof input[key] === "string" ? [input[key]] : []);
  const named = (access: NamedPath["access"], paths: readonly string[]): readonly NamedPath[] =>
    paths.map((path) => ({ path, access }));
  switch (kindOfTool(toolName)) {
    case "edit":
      return named("write", [...text("file_path"), ...text("notebook_path"), ...text("path")]);
    case "read": {
      const listsOnly = toolName === "Glob" || toolName === "LS";
      return named(listsOnly ? "names" : "read", [
        ...["file_path", "notebook_path", "path", "filePath"].flatMap(text),
        ...(toolName === "Grep" ? text("glob") : []),
      ]);
    }
    case "shell":
    case "person":
    case "inert":
      return [];
    case "other":
      return named(accessOf(toolName), pathFields(input, 0));
  }
}

export function isWriterByName(toolName: string): boolean {
  return accessOf(toolName) === "write";
}

function accessOf(toolName: string): "read" | "write" | "either" {
  const name = toolName.split("__").at(-1) ?? toolName;
  if (WRITES.test(name)) return "write";
  return READS.test(name) ? "read" : "either";
}

function pathFields(value: unknown, depth: number): readonly string[] {
  if (typeof value !== "object" || value === null || depth > 4) return [];
  return Object.entries(value)
    .slice(0, 200)
    .flatMap(([key, inner]) => {
      if (PATH_FIELD.test(key)) {
        const texts = Array.isArray(inner) ? inner.slice(0, 200) : [inner];
        const strings = texts.filter((each): each is string => typeof each === "string" && isPathLike(each));
        if (strings.length > 0) return strings;
      }
      return pathFields(inner, depth + 1);
    });
}

function isPathLike(text: string): boolean {
  return (
    text.length > 0 &&
    text.length < 4_096 &&
    !text.includes("\n") &&
    !/^[a-z]+:\/\/(?<!file:\/\/)/i.test(text)
  );
}

/** The script a tool would run; null when it runs none. MCP tools that run commands name them alike. */
export function scriptOf(toolName: string, input: Readonly<Record<string, unknown>>): string | null {
  const command = input["command"] ?? input["cmd"] ?? (toolName === "Bash" ? undefined : input["script"]);
  if (typeof command !== "string") return null;
  const args = input["args"];
  if (!Array.isArray(args) || !args.every((each) => typeof each === "string")) return command;
  return [command, ...args.map((each) => `'${each.replaceAll("'", "'\\''")}'`)].join(" ");
}
