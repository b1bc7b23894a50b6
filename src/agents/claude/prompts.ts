import { contentHash, factId } from "../../event/ids.ts";
import type { PromptReader } from "../prompt-reader.ts";

export const prompts: PromptReader = {
  mark: "UserPromptSubmit",
  isMachine: isMachinePrompt,
  isReminder: (prompt) => /^\s*<system-reminder>/.test(prompt),
  isAgentMade: (prompt) => AGENT_MADE.test(prompt),
  reportedCall: (prompt) => /<tool-use-id>([^<\s]{1,200})<\/tool-use-id>/.exec(prompt)?.[1],
};

const AGENT_MADE =
  /^<(?:system-reminder|command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user-prompt-submit-hook)\b/iu;

/** Prompts that a machine wrote: they start a turn, but no person asked for it. */
export function isMachinePrompt(prompt: string): boolean {
  return /^\s*<(task-notification|agent-notification|teammate-message|cross-session-message)\b/.test(prompt);
}

/**
 * The id of a prompt. The agent's prompt id alone does not tell prompts apart: one that is typed while a turn
 * runs is announced under the id of that turn (docs/decisions/0004-prompt-identity.md).
 */
export function promptFactId(promptId: string, prompt: string): string {
  return factId("prompt", promptId, contentHash(prompt.trim().replace(/\s+/g, " ")));
}

/** What the person typed, from the way a transcript writes a slash command; undefined for the CLI's own commands. */
export function slashPrompt(content: string): { name: string; args: string; prompt: string } | undefined {
  // A command of the CLI itself (/model, /compact) puts its name first and starts no turn.
  if (!content.trimStart().startsWith("<command-message>")) return undefined;
  const name = /<command-name>\/?([^<]*)<\/command-name>/.exec(content)?.[1]?.trim();
  if (name === undefined || name === "") return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(content)?.[1]?.trim() ?? "";
  return { name, args, prompt: `/${name}${args === "" ? "" : ` ${args}`}` };
}
