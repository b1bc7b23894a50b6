import { createToolTable, type ToolTable } from "../tool-table.ts";

/** The tools of Claude Code, including those of older versions. */
export const claudeTools: ToolTable = createToolTable(
  {
    read: "Read NotebookRead",
    edit: "Edit MultiEdit",
    notebook: "NotebookEdit",
    write: "Write",
    shell: "Bash",
    powershell: "PowerShell",
    watch: "Monitor",
    search: "Grep",
    glob: "Glob",
    list: "LS",
    symbols: "LSP",
    fetch: "WebFetch",
    webSearch: "WebSearch",
    agent: "Agent Task",
    question: "AskUserQuestion",
    plan: "ExitPlanMode",
    task: "TaskCreate TaskUpdate",
    skill: "Skill",
    own: "EnterPlanMode TodoWrite TodoRead TaskList TaskGet TaskOutput TaskStop BashOutput AgentOutputTool KillShell KillBash ToolSearch StructuredOutput ListMcpResourcesTool ListMcpResources CronList ReadNotifications",
    other:
      "CronCreate CronDelete EnterWorktree ExitWorktree ReadMcpResourceTool ScheduleWakeup SendMessage SlashCommand Workflow",
  },
  (name) => (name.startsWith("mcp__") ? "mcp" : "other"),
);
