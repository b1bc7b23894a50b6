import { contentHash, factId } from "../../event/ids.ts";
import type { PromptAuthor, PromptReader } from "../prompt-reader.ts";

export const prompts: PromptReader = {
  payloadMarker: "UserPromptSubmit",
  authorOf: authorOfPrompt,
  reportedCall: (prompt) => /<tool-use-id>([^<\s]{1,200})<\/tool-use-id>/.exec(prompt)?.[1],
};

export function authorOfPrompt(prompt: string): PromptAuthor {
  const { machine, reminder, command } = AUTHOR_TAGS.exec(prompt)?.groups ?? {};
  if (machine !== undefined) return "machine";
  if (reminder !== undefined) return "reminder";
  return command === undefined ? "person" : "command";
}

const AUTHOR_TAGS =
  /^\s*<(?:(?<machine>task-notification|agent-notification|teammate-message|cross-session-message)|(?<reminder>system-reminder)|(?<command>command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr)|user-prompt-submit-hook))\b/;

export function isMachinePrompt(prompt: string): boolean {
  return authorOfPrompt(prompt) === "machine";
}

/**
 * The id of a prompt. The agent's prompt id alone is ambiguous: a prompt typed during a turn is announced
 * under the id of that turn (docs/decisions/0004-prompt-identity.md).
 */
export function promptFactId(promptId: string, prompt: string): string {
  return factId("prompt", promptId, contentHash(prompt.trim().replace(/\s+/g, " ")));
}

/** What the user typed, from a transcript's slash command; undefined for the CLI's own commands. */
export function parseSlashCommand(
  content: string,
): { name: string; args: string; prompt: string } | undefined {
  // A command of the CLI itself (/model, /compact) puts its name first and starts no turn.
  if (!content.trimStart().startsWith("<command-message>")) return undefined;
  const name = /<command-name>\/?([^<]*)<\/command-name>/.exec(content)?.[1]?.trim();
  if (name === undefined || name === "") return undefined;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(content)?.[1]?.trim() ?? "";
  return { name, args, prompt: `/${name}${args === "" ? "" : ` ${args}`}` };
}
