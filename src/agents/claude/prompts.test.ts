import { expect, it } from "vitest";
import type { PromptAuthor } from "../prompt-reader.ts";
import { authorOfPrompt, isMachinePrompt } from "./prompts.ts";

it.each<[string, PromptAuthor]>([
  ["<task-notification>\n<task-id>b1</task-id>", "machine"],
  ["  \n<agent-notification id=1>", "machine"],
  ["<teammate-message from='ann'>look</teammate-message>", "machine"],
  ["<cross-session-message>", "machine"],
  ["<system-reminder>Obey.</system-reminder>", "reminder"],
  ["\n<system-reminder>", "reminder"],
  ["<command-name>/model</command-name>", "command"],
  ["<command-message>review</command-message>", "command"],
  ["<local-command-stdout>x</local-command-stdout>", "command"],
  ["<bash-input>ls</bash-input>", "command"],
  ["<user-prompt-submit-hook>x", "command"],
  ["Fix <task-notification> in the page", "person"],
  ["<b>bold</b>", "person"],
  ["<bash-history>", "person"],
  ["task-notification", "person"],
  ["/review src", "person"],
  ["", "person"],
])("identifies the author of %j as %s", (prompt, author) => {
  expect(authorOfPrompt(prompt)).toBe(author);
  expect(isMachinePrompt(prompt)).toBe(author === "machine");
});
