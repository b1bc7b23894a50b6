import { questionsOf, toolText } from "../../monitor/tool-text.ts";

/** All that a tool was given, as text: who allows must see what it is. A command is shown as it is. */
export function inputText(tool: string, input: unknown): string {
  const command = tool === "Bash" ? (input as { command?: unknown } | null)?.command : undefined;
  if (typeof command === "string") return command;
  if (tool === "ExitPlanMode" || typeof input !== "object" || input === null) return toolText(tool, input);
  const questions = questionsOf(input);
  if (tool === "AskUserQuestion" && questions.length > 0)
    return questions
      .map(({ question, options }) => [question, ...options.map(({ label }) => `- ${label}`)].join("\n"))
      .join("\n\n");
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
