import { type AndOr, forEachChild, type Statement, type SyntaxNode } from "unbash";
import { wordsOf } from "./simple-command.ts";

/** The shell options that decide how command statuses combine. */
export interface ShellOptions {
  /** A failing command ends the shell. */
  readonly errexit: boolean;
  /** A pipe fails if any of its commands fails. */
  readonly pipefail: boolean;
  /** Inside the tested part of `&&`, `||` or `!`, where `errexit` has no effect. */
  readonly isTested: boolean;
}

export const NO_OPTIONS: ShellOptions = { errexit: false, pipefail: false, isTested: false };

/**
 * The options after a statement. Conservative: on only if certainly set, off if anything may have unset it.
 */
export function optionsAfter(options: ShellOptions, { command, background }: Statement): ShellOptions {
  if (background === true) return options;
  if (command.type !== "AndOr") return afterNode(options, command, true);
  const isFirstCertain = command.operators[0] === "&&";
  return command.commands.reduce<ShellOptions>(
    (current, each, at) => afterNode(current, each, at === 0 && isFirstCertain),
    options,
  );
}

/** The options at each command of an and-or list: an option set before `&&` applies after it. */
export function optionsAlong(
  { commands, operators }: Pick<AndOr, "commands" | "operators">,
  options: ShellOptions,
): readonly ShellOptions[] {
  let current = options;
  let isCertain = true;
  return commands.map((command, at) => {
    if (operators[at - 1] === "||") {
      isCertain = false;
      current = onInBoth(current, options);
    }
    const optionsHere = at < commands.length - 1 ? { ...current, isTested: true } : current;
    current = afterNode(current, command, isCertain);
    return optionsHere;
  });
}

function afterNode(options: ShellOptions, node: SyntaxNode, isCertain: boolean): ShellOptions {
  if (isCertain && node.type === "Command") return withOptions(options, wordsOf(node));
  let current = options;
  const visit = (each: SyntaxNode): void => {
    if (each.type === "Command") current = onInBoth(current, withOptions(current, wordsOf(each)));
    forEachChild(each, visit);
  };
  visit(node);
  return current;
}

function onInBoth(a: ShellOptions, b: ShellOptions): ShellOptions {
  return { ...a, errexit: a.errexit && b.errexit, pipefail: a.pipefail && b.pipefail };
}

/** Applies `set -eo pipefail` and similar commands. */
export function withOptions(options: ShellOptions, words: readonly string[]): ShellOptions {
  const [name = "", ...args] = words;
  if (name === "setopt" || name === "unsetopt") return withNamedOptions(options, args, name === "setopt");
  // An `eval` may set options anywhere in its text.
  if (name === "eval" && args.some((word) => /\b(?:set|shopt|(?:un)?setopt)\b/.test(word)))
    return { ...options, errexit: false, pipefail: false };
  if (name !== "set" && !(name === "shopt" && args.some((word) => /^-\w*o/.test(word)))) return options;
  let current = options;
  for (const [at, word] of args.entries()) {
    const flags = /^([-+])([a-z]+)$/i.exec(word);
    const isName = /^[-+][a-z]*o$/i.test(args[at - 1] ?? "");
    // After its options, `set` takes the shell's positional arguments.
    if (flags === null && name === "set" && !isName) break;
    if (flags === null) continue;
    const [, sign, letters = ""] = flags;
    const isOn = name === "set" ? sign === "-" : letters.includes("s");
    if (name === "set" && letters.includes("e")) current = { ...current, errexit: isOn };
    if (letters.includes("o")) current = withNamedOptions(current, args.slice(at + 1, at + 2), isOn);
  }
  return current;
}

function withNamedOptions(options: ShellOptions, names: readonly string[], isOn: boolean): ShellOptions {
  const has = (name: string): boolean =>
    names.some((optionName) => optionName.toLowerCase().replaceAll("_", "") === name);
  return {
    ...options,
    errexit: has("errexit") ? isOn : options.errexit,
    pipefail: has("pipefail") ? isOn : options.pipefail,
  };
}
