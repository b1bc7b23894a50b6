/** Prompts that a machine wrote: they start a turn, but no person asked for it. */
export function isMachinePrompt(prompt: string): boolean {
  return /^\s*<(task-notification|agent-notification|teammate-message|cross-session-message)\b/.test(prompt);
}
