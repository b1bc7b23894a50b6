import { questionsOf } from "../../agents/questions.ts";
import { formOfCall, textOfCall } from "../../agents/tool-call.ts";

/** A tool's whole input as text: an approver must see what it is. A command is shown verbatim. */
export function inputText(tool: string, input: unknown): string {
  const form = formOfCall({ toolName: tool });
  const command = form === "shell" ? (input as { command?: unknown } | null)?.command : undefined;
  if (typeof command === "string") return command;
  if (form === "plan" || typeof input !== "object" || input === null)
    return textOfCall({ toolName: tool, toolInput: input });
  const questions = questionsOf(input);
  if (form === "question" && questions.length > 0)
    return questions
      .map(({ question, options }) => [question, ...options.map(({ label }) => `- ${label}`)].join("\n"))
      .join("\n\n");
  return Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
