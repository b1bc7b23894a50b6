import type { ShellCommand } from "../shell/shell-reading.ts";

type AmbiguityCheck = (words: readonly string[], command: ShellCommand) => boolean;

const some =
  (pattern: RegExp): AmbiguityCheck =>
  (words) =>
    words.some((word) => pattern.test(word));

/** `args` are also checked, because awk itself splits `-F` from an unknown text. */
const awk: AmbiguityCheck = (words, { args }) =>
  // After `++`, `--` and `length` a slash may start a pattern or divide.
  words.some((word) => /\+\+\+|---|(?:\+\+|--|\blength)\s*\//.test(word)) ||
  args.some((word) => word.isSplit === true && word.text.startsWith("-F"));

/** Whether anything follows the first operand: these programs write to their second operand. */
const hasMoreThanOneOperand =
  (optionWithValue: RegExp): AmbiguityCheck =>
  (words) => {
    let at = 0;
    while (/^-./.test(words[at] ?? "")) at += optionWithValue.test(words[at]!) ? 2 : 1;
    return at < words.length - 1;
  };

/** With conflicting options or an unknown user, `ps` re-parses all words as BSD's: `e` is the environment. */
function isReparsedAsBsd(words: readonly string[]): boolean {
  if (!words.some((word) => /^-[a-zA-Z]*e/.test(word) || /^-[^-]*[uUgGtC]/.test(word))) return false;
  const letters = words.filter((word) => /^-[^-]/.test(word)).join("");
  if (/o/.test(letters) && /[flF]/.test(letters)) return true;
  return words.some((word, at) => {
    if (/^-/.test(word)) return !/^(?:-[eflFAw]*o?|-p|-C|--sort(?:=.*)?|--no-headers)$/.test(word);
    return !/^(?:-[eflFAw]*o|-p|-C|--sort)$/.test(words[at - 1] ?? "") || /^-C$/.test(words[at - 1]!);
  });
}

/** Words that a program may parse in more than one way, so it cannot be called harmless. */
const AMBIGUITY_CHECKS: Readonly<Record<string, AmbiguityCheck>> = {
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  // The pattern is taken from the next word, and the rest of the cluster are options.
  tree: some(/^-[a-zA-Z]*[PI][a-zA-Z]/),
  xxd: (words, command) =>
    some(/^-[a-z]{2,}/)(words, command) || hasMoreThanOneOperand(/^-[cglos]$/)(words, command),
  uniq: hasMoreThanOneOperand(/^(?:-[a-zA-Z]*[fsw]|--(?:skip-fields|skip-chars|check-chars))$/),
  // A separate number is a file, or a commit.
  od: some(/^(?:-[a-zA-Z]*w|--width)$/),
  git: some(/^(?:-U|--unified)$/),
  ps: isReparsedAsBsd,
  jq: (words) =>
    words.some((word, at) => word === "--indent" && !/^\d$/.test(words[at + 1] ?? "")) ||
    words
      .slice(words.indexOf("--") < 0 ? words.length : words.indexOf("--"))
      .some((word) => /^--./.test(word)),
};

export function isAmbiguous(command: ShellCommand): boolean {
  const check = Object.hasOwn(AMBIGUITY_CHECKS, command.name) ? AMBIGUITY_CHECKS[command.name] : undefined;
  const words = command.args.map((word) => word.text);
  return check?.(words, command) === true;
}
