import { expect, it } from "vitest";
import { genericTools } from "./generic-tools.ts";

it.each<[string, unknown, string, string | null]>([
  ["local_shell", { cmd: "ls" }, "shell", "ls"],
  ["run_shell_command", { command: "ls" }, "shell", "ls"],
  ["read_file", { absolute_path: "/a" }, "read", "/a"],
  ["edit", { filePath: "/a" }, "edit", "/a"],
  ["apply_patch", { input: "*** Begin Patch" }, "edit", null],
  ["write_file", { file_path: "/a", content: "x" }, "write", "/a"],
  ["search_file_content", { pattern: "x" }, "search", "x"],
  ["list_directory", { path: "/w" }, "search", "/w"],
  ["google_web_search", { query: "zod" }, "fetch", "zod"],
  ["task", { description: "Look" }, "agent", "Look"],
  ["mcp__x__y", { path: "/a" }, "mcp", null],
  ["toy_tool", { command: "ls" }, "other", null],
])("classifies %s with %j as %s", (name, input, kind, subject) => {
  expect([genericTools.kindOf(name), genericTools.subjectOf(name, input)]).toEqual([kind, subject]);
});
