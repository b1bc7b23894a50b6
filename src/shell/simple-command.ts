import type { Command } from "unbash";

/** Name and arguments, unquoted. Empty for a command that only assigns or redirects. */
export function wordsOf({ name, args }: Command): readonly string[] {
  if (name === undefined) return [];
  return [name.value, ...args.map((word) => (word.type === "Word" ? word.value : word.text))];
}

export function textOf(line: string, { pos, end }: { readonly pos: number; readonly end: number }): string {
  return line.slice(pos, end);
}

/** Strips wrapper commands that exit with the status of the command they run. */
export function withoutWrappers(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && WRAPPERS.has(words[at]!)) {
    at++;
    while (at < words.length && /^-|^\w+=|^[\d.]+[smhd]?$/.test(words[at]!)) at++;
  }
  return words.slice(at);
}

const WRAPPERS = new Set(
  "sudo env time timeout nice ionice command exec nohup stdbuf xvfb-run unbuffer builtin".split(" "),
);

/** Whether the command runs another one without passing on its exit status. */
export function isOpaque(allWords: readonly string[]): boolean {
  const [name = "", ...args] = withoutWrappers(allWords);
  if (name === "find" || name === "fd")
    return args.some((word) => /^-(?:exec|ok)|^--exec|^-[xX]$/.test(word));
  return OPAQUE.has(name);
}

const OPAQUE = new Set(
  "script setsid tmux screen at batch watch parallel entr concurrently systemd-run daemonize".split(" "),
);
