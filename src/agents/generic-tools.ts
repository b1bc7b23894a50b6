import { createToolTable, type ToolTable } from "./tool-table.ts";

/** Tools of agents without their own table, by names that are common among agents. */
export const genericTools: ToolTable = createToolTable(
  {
    read: "read read_file",
    edit: "edit replace multiedit",
    patch: "apply_patch",
    write: "write write_file",
    shell: "bash shell local_shell exec_command run_shell_command",
    search: "grep search_file_content",
    glob: "glob",
    list: "list list_directory",
    fetch: "webfetch web_fetch",
    webSearch: "web_search google_web_search",
    agent: "task",
  },
  (name) => (name.startsWith("mcp__") ? "mcp" : "other"),
);
