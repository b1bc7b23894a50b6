import type { Command } from "unbash";

/** What decides how the commands of a shell are judged together. */
export interface ShellOptions {
  /** A command that fails ends the shell. */
  readonly errexit: boolean;
  /** A pipe fails with any of its commands. */
  readonly pipefail: boolean;
}

/** Its name and arguments, without quotes. Empty for one that only assigns or redirects. */
export function wordsOf({ name, args }: Command): readonly string[] {
  if (name === undefined) return [];
  return [name.value, ...args.map((word) => (word.type === "Word" ? word.value : word.text))];
}

export function textOf(line: string, { pos, end }: { readonly pos: number; readonly end: number }): string {
  return line.slice(pos, end);
}

/** After `set -eo pipefail` and what is like it. */
export function withOptions(options: ShellOptions, words: readonly string[]): ShellOptions {
  const [name = "", ...args] = words;
  if (name === "setopt" || name === "unsetopt") return named(options, args, name === "setopt");
  if (name !== "set" && !(name === "shopt" && args.some((word) => /^-\w*o/.test(word)))) return options;
  let now = options;
  for (const [at, word] of args.entries()) {
    const flags = /^([-+])([a-z]+)$/i.exec(word);
    if (flags === null) continue;
    const [, sign, letters = ""] = flags;
    const isOn = name === "set" ? sign === "-" : letters.includes("s");
    if (name === "set" && letters.includes("e")) now = { ...now, errexit: isOn };
    if (letters.includes("o")) now = named(now, args.slice(at + 1, at + 2), isOn);
  }
  return now;
}

function named(options: ShellOptions, names: readonly string[], isOn: boolean): ShellOptions {
  const has = (name: string): boolean =>
    names.some((each) => each.toLowerCase().replaceAll("_", "") === name);
  return {
    errexit: has("errexit") ? isOn : options.errexit,
    pipefail: has("pipefail") ? isOn : options.pipefail,
  };
}

interface InnerScript {
  readonly text: string;
  readonly options: ShellOptions;
}

/** What `sh -c '…'` or `eval` runs; null for other commands. */
export function innerScript(all: readonly string[], options: ShellOptions): InnerScript | null {
  const words = withoutStarters(all);
  const [name = "", ...args] = words;
  if (name === "eval") return { text: args.join(" "), options };
  if (!/^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(name)) return null;
  const at = args.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  if (at < 0) return null;
  const flags = ["set", ...args.slice(0, at), args[at]!.replace("c", "")];
  const own = withOptions({ errexit: false, pipefail: false }, flags);
  // `bash -euo pipefail -c` and `bash -c -o pipefail` both have the script behind the options.
  const rest = args.slice(at + 1);
  const script = /o$/.test(args[at]!) ? rest[1] : rest[0];
  const last = /o$/.test(args[at]!) ? withOptions(own, ["set", "-o", rest[0] ?? ""]) : own;
  return script === undefined ? null : { text: script, options: last };
}

/** Behind words that start a command and end as it does. */
function withoutStarters(words: readonly string[]): readonly string[] {
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
