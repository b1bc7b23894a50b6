import { type AndOr, forEachChild, type Statement, type SyntaxNode } from "unbash";
import { wordsOf } from "./simple-command.ts";

/** What decides how the commands of a shell are judged together. */
export interface ShellOptions {
  /** A command that fails ends the shell. */
  readonly errexit: boolean;
  /** A pipe fails with any of its commands. */
  readonly pipefail: boolean;
  /** Within what a `&&`, a `||` or a `!` tests: there `errexit` does not act. */
  readonly isTested: boolean;
}

export const NO_OPTIONS: ShellOptions = { errexit: false, pipefail: false, isTested: false };

/** After a statement: an option is on where nothing can have kept it from being set, and off where anything may have unset it. */
export function optionsAfter(options: ShellOptions, { command, background }: Statement): ShellOptions {
  if (background === true) return options;
  if (command.type !== "AndOr") return afterNode(options, command, true);
  const isFirstSure = command.operators[0] === "&&";
  return command.commands.reduce<ShellOptions>(
    (now, each, at) => afterNode(now, each, at === 0 && isFirstSure),
    options,
  );
}

/** At each command of a list: what was set before a `&&` is set behind it. */
export function optionsAlong(
  { commands, operators }: Pick<AndOr, "commands" | "operators">,
  options: ShellOptions,
): readonly ShellOptions[] {
  let now = options;
  let isSure = true;
  return commands.map((command, at) => {
    if (operators[at - 1] === "||") {
      isSure = false;
      now = inBoth(now, options);
    }
    const own = at < commands.length - 1 ? { ...now, isTested: true } : now;
    now = afterNode(now, command, isSure);
    return own;
  });
}

function afterNode(options: ShellOptions, node: SyntaxNode, isSure: boolean): ShellOptions {
  if (isSure && node.type === "Command") return withOptions(options, wordsOf(node));
  let now = options;
  const visit = (each: SyntaxNode): void => {
    if (each.type === "Command") now = inBoth(now, withOptions(now, wordsOf(each)));
    forEachChild(each, visit);
  };
  visit(node);
  return now;
}

function inBoth(a: ShellOptions, b: ShellOptions): ShellOptions {
  return { ...a, errexit: a.errexit && b.errexit, pipefail: a.pipefail && b.pipefail };
}

/** After `set -eo pipefail` and what is like it. */
export function withOptions(options: ShellOptions, words: readonly string[]): ShellOptions {
  const [name = "", ...args] = words;
  if (name === "setopt" || name === "unsetopt") return named(options, args, name === "setopt");
  // What it sets, it may set anywhere in its text.
  if (name === "eval" && args.some((word) => /\b(?:set|shopt|(?:un)?setopt)\b/.test(word)))
    return { ...options, errexit: false, pipefail: false };
  if (name !== "set" && !(name === "shopt" && args.some((word) => /^-\w*o/.test(word)))) return options;
  let now = options;
  for (const [at, word] of args.entries()) {
    const flags = /^([-+])([a-z]+)$/i.exec(word);
    const isName = /^[-+][a-z]*o$/i.test(args[at - 1] ?? "");
    // Behind its options stand the arguments that `set` gives the shell.
    if (flags === null && name === "set" && !isName) break;
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
    ...options,
    errexit: has("errexit") ? isOn : options.errexit,
    pipefail: has("pipefail") ? isOn : options.pipefail,
  };
}
