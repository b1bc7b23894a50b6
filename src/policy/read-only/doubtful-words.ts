import type { ShellCommand } from "../shell/shell-reading.ts";

type Doubt = (words: readonly string[], command: ShellCommand) => boolean;

const some =
  (pattern: RegExp): Doubt =>
  (words) =>
    words.some((word) => pattern.test(word));

/** Also known by its words where the program itself splits `-F` from a text that is not known. */
const awk: Doubt = (words, { args }) =>
  // After `++` and `--` a slash may begin a pattern or divide, and so it may after `length`.
  words.some((word) => /\+\+\+|---|(?:\+\+|--|\blength)\s*\//.test(word)) ||
  args.some((word) => word.isSplit === true && word.text.startsWith("-F"));

/** Whether something follows the first operand: programs that read no options there take it for a file to write. */
const goesOnAfter =
  (valued: RegExp): Doubt =>
  (words) => {
    let at = 0;
    while (/^-./.test(words[at] ?? "")) at += valued.test(words[at]!) ? 2 : 1;
    return at < words.length - 1;
  };

/** Options of `ps` that contradict each other, or a name of no user, are all read again as BSD's: `e` is then the environment. */
function isReadAgain(words: readonly string[]): boolean {
  if (!words.some((word) => /^-[a-zA-Z]*e/.test(word) || /^-[^-]*[uUgGtC]/.test(word))) return false;
  const letters = words.filter((word) => /^-[^-]/.test(word)).join("");
  if (/o/.test(letters) && /[flF]/.test(letters)) return true;
  return words.some((word, at) => {
    if (/^-/.test(word)) return !/^(?:-[eflFAw]*o?|-p|-C|--sort(?:=.*)?|--no-headers)$/.test(word);
    return !/^(?:-[eflFAw]*o|-p|-C|--sort)$/.test(words[at - 1] ?? "") || /^-C$/.test(words[at - 1]!);
  });
}

/** What a program's own reading of its words makes of them is not sure enough to call it harmless. */
const DOUBTS: Readonly<Record<string, Doubt>> = {
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  // A pattern's letters are taken from the next word, and the rest of the cluster are options.
  tree: some(/^-[a-zA-Z]*[PI][a-zA-Z]/),
  xxd: (words, command) => some(/^-[a-z]{2,}/)(words, command) || goesOnAfter(/^-[cglos]$/)(words, command),
  uniq: goesOnAfter(/^(?:-[a-zA-Z]*[fsw]|--(?:skip-fields|skip-chars|check-chars))$/),
  // A number that stands apart is a file, or a commit.
  od: some(/^(?:-[a-zA-Z]*w|--width)$/),
  git: some(/^(?:-U|--unified)$/),
  ps: isReadAgain,
  jq: (words) =>
    words.some((word, at) => word === "--indent" && !/^\d$/.test(words[at + 1] ?? "")) ||
    words
      .slice(words.indexOf("--") < 0 ? words.length : words.indexOf("--"))
      .some((word) => /^--./.test(word)),
};

export function isDoubtful(command: ShellCommand): boolean {
  const doubt = Object.hasOwn(DOUBTS, command.name) ? DOUBTS[command.name] : undefined;
  const words = command.args.map((word) => word.text);
  return doubt?.(words, command) === true;
}
