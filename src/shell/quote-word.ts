/** Quotes any text as one word of a shell command. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Leaves a word bare if no shell gives any of its characters a meaning. */
export function quoteWordIfNeeded(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteWord(text);
}
