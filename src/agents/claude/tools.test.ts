import { describe, expect, it } from "vitest";
import { TOOL_KINDS, type ToolKind } from "../../event/tool-kind.ts";
import { claudeTools } from "./tools.ts";

/** Recording, display and judging all depend on these: a change here changes all three. */
const KINDS: Readonly<Record<ToolKind, string>> = {
  read: "Read NotebookRead",
  edit: "Edit MultiEdit NotebookEdit",
  write: "Write",
  shell: "Bash PowerShell Monitor",
  search: "Grep Glob LS LSP",
  fetch: "WebFetch WebSearch",
  agent: "Agent Task",
  question: "AskUserQuestion",
  plan: "ExitPlanMode",
  mcp: "mcp__memory__search mcp__x__",
  other:
    "TaskCreate TaskUpdate Skill EnterPlanMode TodoWrite TodoRead TaskList TaskGet TaskOutput TaskStop BashOutput AgentOutputTool KillShell KillBash ToolSearch StructuredOutput ListMcpResourcesTool ListMcpResources CronList ReadNotifications CronCreate CronDelete EnterWorktree ExitWorktree ReadMcpResourceTool ScheduleWakeup SendMessage SlashCommand Workflow",
};

describe("the tools of Claude Code", () => {
  it.each(TOOL_KINDS)("have the kind %s", (kind) => {
    for (const name of KINDS[kind].split(" ")) expect([name, claudeTools.kindOf(name)]).toEqual([name, kind]);
  });

  it("are all listed above", () => {
    const listed = new Set(Object.values(KINDS).flatMap((names) => names.split(" ")));
    expect([...claudeTools.names].filter((name) => !listed.has(name))).toEqual([]);
  });

  it.each(["", "bash", "BASH", "__proto__", "constructor", "toString", "Bash "])(
    "are not named %j",
    (name) => {
      expect(claudeTools.kindOf(name)).toBe("other");
      expect(claudeTools.subjectOf(name, { command: "ls" })).toBeNull();
    },
  );

  it.each<[string, unknown, string | null]>([
    ["Bash", { command: "npm test\nls", description: "Run" }, "npm test\nls"],
    ["Read", { file_path: "/a.ts", offset: 3 }, "/a.ts"],
    ["NotebookEdit", { notebook_path: "/a.ipynb", new_source: "x" }, "/a.ipynb"],
    ["Grep", { pattern: "x", path: "/w" }, "x"],
    ["WebSearch", { query: "zod" }, "zod"],
    ["Agent", { description: "Look", prompt: "…" }, "Look"],
    ["Skill", { skill: "commit", args: "-m x" }, "commit"],
    ["ExitPlanMode", { plan: "1. Build" }, "1. Build"],
    ["AskUserQuestion", { questions: [{ question: "A?" }, { question: "B?" }] }, "A?\nB?"],
    ["AskUserQuestion", { questions: [] }, null],
    ["TaskCreate", { subject: "x", description: "y" }, null],
    ["mcp__shop__buy", { command: "x", file_path: "/a" }, null],
    ["Bash", { command: "" }, null],
    ["Bash", null, null],
    ["Bash", ["ls"], null],
  ])("have a subject: %s with %j", (name, input, subject) => {
    expect(claudeTools.subjectOf(name, input)).toBe(subject);
  });

  it("expose their files and commands", () => {
    expect(claudeTools.pathsOf("Edit", { file_path: "/a" })).toEqual(["/a"]);
    expect(claudeTools.pathsOf("Bash", { file_path: "/a" })).toEqual([]);
    expect(claudeTools.commandOf("Bash", { command: "ls" })).toBe("ls");
    expect(claudeTools.commandOf("Read", { command: "ls" })).toBeNull();
  });
});
