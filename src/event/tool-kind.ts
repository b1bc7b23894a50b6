/** What a tool does, independent of the agent and of its name there. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "write",
  "shell",
  "search",
  "fetch",
  "agent",
  "question",
  "plan",
  "mcp",
  "other",
] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

export function isToolKind(value: unknown): value is ToolKind {
  return (TOOL_KINDS as readonly unknown[]).includes(value);
}
