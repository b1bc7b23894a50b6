import { toolText } from "../../monitor/tool-text.ts";

/** All that a tool was given, as text: who allows must see what it is. A command is shown as it is. */
export function inputText(tool: string, input: unknown): string {
  if (tool === "Bash" || tool === "ExitPlanMode" || typeof input !== "object" || input === null)
    return toolText(tool, input);
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
