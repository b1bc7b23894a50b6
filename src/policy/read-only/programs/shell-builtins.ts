import { pathsOf } from "../../locations.ts";
import { isOwnVariable, isPlainSetting, isPublicVariable } from "../../shell/plain-variables.ts";
import { isKnown, type ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind, mayBePrinted } from "../check-words.ts";
import type { ProgramGrammars, ReadOnlyCheck } from "../grammar.ts";

/** Shell builtins that only print, test or control the flow of a script. */

const INTEGER = /^-?\d{1,18}$/;

const prints: ReadOnlyCheck = (command, places) => mayBePrinted(command.args, command, places);
const alone: ReadOnlyCheck = ({ args }) => args.length === 0;

/** Whether every word is known and matches. */
function allFit(args: readonly ShellWord[], pattern: RegExp): boolean {
  return args.every((word) => isKnown(word) && !word.isGlob && !word.isSplit && pattern.test(word.text));
}

/** At most so many words, all of which match. */
const words =
  (pattern: RegExp, max: number, min = 0): ReadOnlyCheck =>
  ({ args }) =>
    args.length >= min && args.length <= max && allFit(args, pattern);

/** The folder must exist, or nothing may run after it: otherwise the script continues where it was. */
const changesFolder: ReadOnlyCheck = (command, places) => {
  const operands = command.args.filter((word) => !/^(?:-[LP]|--)$/.test(word.text));
  const [folder] = operands;
  if (folder === undefined || operands.length > 1 || folder.isGlob || /^[-+]/.test(folder.text)) return false;
  if (!matchesKind(folder, "name", command, places)) return false;
  const paths = pathsOf(folder.text, places, command.cwds);
  return command.stopsOnFailure || paths.every((path) => Array.isArray(places.world.entries?.(path)));
};

const CONVERSION = /%(?:%|[-#0+ ]*\d{0,4}(?:\.\d{1,4})?([a-zA-Z]))/g;

/** Shells other than bash evaluate an argument that stands for a number. */
const printsFormat: ReadOnlyCheck = (command, places) => {
  const [format, ...values] = command.args;
  if (format === undefined || !isKnown(format) || format.isSplit || format.text.startsWith("-")) return false;
  const kinds = [...format.text.matchAll(CONVERSION)].map(([, letter]) => letter ?? "%");
  if (
    format.text.replace(CONVERSION, "").includes("%") ||
    kinds.some((kind) => !/[sbqdiuxXocfeg%]/.test(kind))
  )
    return false;
  const taken = kinds.filter((kind) => kind !== "%");
  const isNumber = (at: number): boolean => /[diuxXofeg]/.test(taken[at % taken.length] ?? "s");
  return (
    mayBePrinted(command.args, command, places) &&
    values.every((word, at) => !isNumber(at) || INTEGER.test(word.text)) &&
    // A word that may become any number of words shifts those after it.
    (!taken.some((_, at) => isNumber(at)) || values.every((word) => !word.isSplit && !word.isGlob))
  );
};

const FILE_TEST = /^-[abcdefghknprsuwxzGLNOS]$/;
const COMPARISON = /^(?:=|==|!=|<|>|-nt|-ot|-ef)$/;
const NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `test`, `[`: tests of files and texts, and comparisons of plain numbers. */
const tests: ReadOnlyCheck = (command, places) => {
  const { args, name } = command;
  const isBracket = name === "[";
  if (isBracket && args.at(-1)?.text !== "]") return false;
  const expression = isBracket ? args.slice(0, -1) : args;
  if (!mayBePrinted(expression, command, places)) return false;
  return expression.every((word) => !word.isSplit && !word.isGlob) && isTest(expression);
};

function isTest(words: readonly ShellWord[]): boolean {
  const at = words.findIndex((word) => word.text === "-a" || word.text === "-o");
  if (at > 0) return words.every(isKnown) && isTest(words.slice(0, at)) && isTest(words.slice(at + 1));
  const own = words[0]?.text === "!" ? words.slice(1) : words;
  const [first, second, third] = own;
  switch (own.length) {
    case 1:
      return true;
    case 2:
      return first!.text === "-t" ? INTEGER.test(second!.text) : FILE_TEST.test(first!.text);
    case 3:
      if (NUMBERS.test(second!.text)) return INTEGER.test(first!.text) && INTEGER.test(third!.text);
      return COMPARISON.test(second!.text) && first!.text !== "!";
    default:
      return false;
  }
}

/** Sets only the script's own variables. */
const reads: ReadOnlyCheck = ({ args }) =>
  args.every((word) => isKnown(word) && !word.isGlob && (word.text === "-r" || isOwnVariable(word.text))) &&
  args.some((word) => word.text !== "-r");

const exports: ReadOnlyCheck = ({ args }) =>
  args.length > 0 &&
  args.every((word) => {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(word.text) ?? [];
    return isKnown(word) && isPlainSetting(name, value);
  });

const printsVariables: ReadOnlyCheck = ({ args }) =>
  args.length > 0 &&
  args.every(
    (word) => isKnown(word) && !word.isGlob && /^[A-Z]/.test(word.text) && isPublicVariable(word.text),
  );

/** `command -v x` only prints; with a command after it, that one is judged. */
const looksUpCommand: ReadOnlyCheck = ({ args: [option, ...names] }) =>
  /^-[vV]$/.test(option?.text ?? "") && names.length > 0 && allFit(names, /^[\w.+-]{1,60}$/);

/** Nothing that changes how words are read: `noglob` and `shopt` are asked about. */
const SET = /^(?:[-+][euvx]{1,4}|[-+][euvx]{0,4}o|pipefail|errexit|nounset|verbose|xtrace)$/;

export const SHELL_BUILTINS: ProgramGrammars = {
  echo: prints,
  true: prints,
  false: prints,
  ":": prints,
  basename: prints,
  dirname: prints,
  expr: (command, places) => command.args.every(isKnown) && prints(command, places),
  printf: printsFormat,
  test: tests,
  "[": tests,
  "[[": alone,
  cd: changesFolder,
  pushd: changesFolder,
  popd: alone,
  pwd: words(/^-[LP]$/, 1),
  read: reads,
  export: exports,
  printenv: printsVariables,
  command: looksUpCommand,
  exit: words(/^\d{1,3}$/, 1),
  return: words(/^\d{1,3}$/, 1),
  break: words(/^\d$/, 1),
  continue: words(/^\d$/, 1),
  shift: words(/^\d$/, 1),
  wait: words(/^\d{1,9}$/, 9),
  sleep: words(/^\d{1,5}(?:\.\d{1,3})?[smh]?$/, 1),
  jobs: words(/^-[lprs]+$/, 1),
  umask: words(/^-S$/, 1),
  ulimit: words(/^-a$/, 1),
  set: words(SET, 9, 1),
};
