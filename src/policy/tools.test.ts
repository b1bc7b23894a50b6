import { describe, expect, it } from "vitest";
import { claudeTools } from "../agents/claude/tools.ts";
import { decide } from "./decide.ts";
import type { PolicyRequest, World } from "./request.ts";
import { classOfTool, type ToolClass } from "./tools.ts";

/** Every verdict depends on these: a tool that moves to another line is judged by other rules. */
const CLASSES: Readonly<Record<Exclude<ToolClass, "other">, string>> = {
  person: "AskUserQuestion ExitPlanMode",
  inert:
    "EnterPlanMode TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop BashOutput AgentOutputTool KillShell KillBash ToolSearch StructuredOutput Agent Task ListMcpResourcesTool ListMcpResources CronList ReadNotifications",
  edit: "Edit Write MultiEdit NotebookEdit",
  read: "Read Glob Grep LS NotebookRead LSP",
  shell: "Bash Monitor",
};

describe("how Claude Code's tools are judged", () => {
  it.each(Object.entries(CLASSES))("as %s", (kind, names) => {
    for (const toolName of names.split(" "))
      expect([toolName, classOfTool({ toolName })]).toEqual([toolName, kind]);
  });

  it("as unknown, any other tool", () => {
    const known = new Set(Object.values(CLASSES).flatMap((names) => names.split(" ")));
    const others = [...claudeTools.names].filter((name) => !known.has(name));
    expect(others).toHaveLength(13);
    const foreign = ["bash", "shell", "read_file", "edit", "task", "glob", "mcp__x__read", "", "__proto__"];
    for (const toolName of [...others, ...foreign])
      expect([toolName, classOfTool({ toolName })]).toEqual([toolName, "other"]);
  });
});

describe("a tool of another agent", () => {
  const world: World = { home: "/home/dev", realPath: (path) => path };
  const judge = (
    request: Pick<PolicyRequest, "toolName" | "toolInput"> & Partial<PolicyRequest>,
  ): unknown => {
    const { verdict, rule } = decide(
      { rules: [], protect: [] },
      { mode: "default", cwd: "/w", ...request },
      world,
    );
    return [verdict, rule];
  };

  it("is judged by its form in the agent's table", () => {
    const run = { toolName: "toy_run", toolForm: "shell" } as const;
    expect(judge({ ...run, toolInput: { command: "ls" } })).toEqual(
      judge({ toolName: "Bash", toolInput: { command: "ls" } }),
    );
    expect(judge({ ...run, toolInput: { command: "rm -rf /" } })).toEqual(
      judge({ toolName: "Bash", toolInput: { command: "rm -rf /" } }),
    );
    expect(judge({ toolName: "toy_ask", toolForm: "question", toolInput: {} })).toEqual(
      judge({ toolName: "AskUserQuestion", toolInput: {} }),
    );
    const read = { toolName: "toy_read", toolForm: "read" } as const;
    expect(judge({ ...read, toolInput: { file_path: "/w/a.ts" } })).toEqual(["allow", "builtin/read-inside"]);
  });

  it("is asked about if the table has no form for it", () => {
    expect(judge({ toolName: "toy_run", toolInput: { command: "ls" } })).toEqual(["ask", expect.any(String)]);
  });
});
