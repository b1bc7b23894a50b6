/**
 * The readable text of a machine-written prompt: its summary, or its text without the surrounding tags.
 * Whether a prompt is machine-written is recorded in its event.
 */
export function machinePromptText(prompt: string): string {
  const text = prompt.slice(0, MAX_PROMPT_CHARS);
  const summary = /<summary>([^<]{1,2000})/.exec(text)?.[1]?.trim();
  return (summary || text.replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, " ")).replaceAll(/\s+/g, " ").trim();
}

const MAX_PROMPT_CHARS = 10_000;
