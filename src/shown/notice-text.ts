/**
 * What a prompt that a machine wrote says to a person: its summary, else its words without the tags around them.
 * Whether a machine wrote it, the event says.
 */
export function noticeText(prompt: string): string {
  const text = prompt.slice(0, MAX_CHARS);
  const summary = /<summary>([^<]{1,2000})/.exec(text)?.[1]?.trim();
  return (summary || text.replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, " ")).replaceAll(/\s+/g, " ").trim();
}

const MAX_CHARS = 10_000;
