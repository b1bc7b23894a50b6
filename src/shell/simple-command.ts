import type { Command } from "unbash";

/** Its name and arguments, without quotes. Empty for one that only assigns or redirects. */
export function wordsOf({ name, args }: Command): readonly string[] {
  if (name === undefined) return [];
  return [name.value, ...args.map((word) => (word.type === "Word" ? word.value : word.text))];
}

export function textOf(line: string, { pos, end }: { readonly pos: number; readonly end: number }): string {
  return line.slice(pos, end);
}

/** Behind words that start a command and end as it does. */
export function withoutStarters(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && STARTERS.has(words[at]!)) {
    at++;
    while (at < words.length && /^-|^\w+=|^[\d.]+[smhd]?$/.test(words[at]!)) at++;
  }
  return words.slice(at);
}

const STARTERS = new Set(
  "sudo env time timeout nice ionice command exec nohup stdbuf xvfb-run unbuffer builtin".split(" "),
);

/** Starts another command and does not end as that does. */
export function isOpaque(all: readonly string[]): boolean {
  const [name = "", ...args] = withoutStarters(all);
  if (name === "find" || name === "fd")
    return args.some((word) => /^-(?:exec|ok)|^--exec|^-[xX]$/.test(word));
  return OPAQUE.has(name);
}

const OPAQUE = new Set(
  "script setsid tmux screen at batch watch parallel entr concurrently systemd-run daemonize".split(" "),
);
