/**
 * Whether a name is assigned exactly once in a line, and nothing else in the line looks like it could change
 * it.
 */
export function isSetOnce(line: string, name: string): boolean {
  const own = `(?<![\\w$-])${name}(?!\\w)`;
  const changes = [
    `${own}(?:\\[[^\\]]{0,80}\\])?\\s{0,8}(?:[-+*/%|&^]|<<|>>)?=(?!=)`,
    `${own}\\s{0,8}(?:\\+\\+|--)`,
    `(?:\\+\\+|--)\\s{0,8}${name}(?!\\w)`,
    `\\$\\{${name}:?=`,
    `\\b(?:read|for|select|unset|mapfile|readarray|getopts|printf\\s+-v)\\s[^;|&\\n]{0,200}?(?<![\\w$])${name}(?!\\w)`,
  ];
  return [...line.matchAll(new RegExp(changes.join("|"), "g"))].length === 1;
}
