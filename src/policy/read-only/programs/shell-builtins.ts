import { pathsOf } from "../../locations.ts";
import { isOwnVariable, isPlainSetting, isPublicVariable } from "../../shell/plain-variables.ts";
import { isKnown, type ShellWord } from "../../shell/shell-reading.ts";
import { matchesKind, mayBePrinted } from "../check-words.ts";
import type { ProgramGrammars, ReadOnlyCheck } from "../grammar.ts";

/** Shell builtins that only print, test or control the flow of a script. */

const INTEGER = /^-?\d{1,18}$/;

const printsWords: ReadOnlyCheck = (command, locations) => mayBePrinted(command.args, command, locations);
const takesNoArguments: ReadOnlyCheck = ({ args }) => args.length === 0;

/** Whether every word is known and matches. */
function allMatch(args: readonly ShellWord[], pattern: RegExp): boolean {
  return args.every((word) => isKnown(word) && !word.isGlob && !word.isSplit && pattern.test(word.text));
}

/** At most `max` words, all of which match. */
const words =
  (pattern: RegExp, max: number, min = 0): ReadOnlyCheck =>
  ({ args }) =>
    args.length >= min && args.length <= max && allMatch(args, pattern);

/** The folder must exist, or nothing may run after it: otherwise the script continues where it was. */
const changesFolder: ReadOnlyCheck = (command, locations) => {
  const operands = command.args.filter((word) => !/^(?:-[LP]|--)$/.test(word.text));
  const [folder] = operands;
  if (folder === undefined || operands.length > 1 || folder.isGlob || /^[-+]/.test(folder.text)) return false;
  if (!matchesKind(folder, "name", command, locations)) return false;
  const paths = pathsOf(folder.text, locations, command.cwds);
  return command.stopsOnFailure || paths.every((path) => Array.isArray(locations.world.entries?.(path)));
};

const CONVERSION = /%(?:%|[-#0+ ]*\d{0,4}(?:\.\d{1,4})?([a-zA-Z]))/g;

/** Shells other than bash evaluate an argument that is formatted as a number. */
const printsFormat: ReadOnlyCheck = (command, locations) => {
  const [format, ...values] = command.args;
  if (format === undefined || !isKnown(format) || format.isSplit || format.text.startsWith("-")) return false;
  const kinds = [...format.text.matchAll(CONVERSION)].map(([, letter]) => letter ?? "%");
  if (
    format.text.replace(CONVERSION, "").includes("%") ||
    kinds.some((kind) => !/[sbqdiuxXocfeg%]/.test(kind))
  )
    return false;
  const conversions = kinds.filter((kind) => kind !== "%");
  const isNumber = (at: number): boolean => /[diuxXofeg]/.test(conversions[at % conversions.length] ?? "s");
  return (
    mayBePrinted(command.args, command, locations) &&
    values.every((word, at) => !isNumber(at) || INTEGER.test(word.text)) &&
    // A word that may become any number of words shifts those after it.
    (!conversions.some((_, at) => isNumber(at)) || values.every((word) => !word.isSplit && !word.isGlob))
  );
};

const FILE_TEST = /^-[abcdefghknprsuwxzGLNOS]$/;
const COMPARISON = /^(?:=|==|!=|<|>|-nt|-ot|-ef)$/;
const NUMBER_COMPARISON = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `test`, `[`: tests of files and texts, and comparisons of plain numbers. */
const isFileOrTextTest: ReadOnlyCheck = (command, locations) => {
  const { args, name } = command;
  const isBracket = name === "[";
  if (isBracket && args.at(-1)?.text !== "]") return false;
  const expression = isBracket ? args.slice(0, -1) : args;
  if (!mayBePrinted(expression, command, locations)) return false;
  return expression.every((word) => !word.isSplit && !word.isGlob) && isTest(expression);
};

function isTest(words: readonly ShellWord[]): boolean {
  const at = words.findIndex((word) => word.text === "-a" || word.text === "-o");
  if (at > 0) return words.every(isKnown) && isTest(words.slice(0, at)) && isTest(words.slice(at + 1));
  const expression = words[0]?.text === "!" ? words.slice(1) : words;
  const [first, second, third] = expression;
  switch (expression.length) {
    case 1:
      return true;
    case 2:
      return first!.text === "-t" ? INTEGER.test(second!.text) : FILE_TEST.test(first!.text);
    case 3:
      if (NUMBER_COMPARISON.test(second!.text)) return INTEGER.test(first!.text) && INTEGER.test(third!.text);
      return COMPARISON.test(second!.text) && first!.text !== "!";
    default:
      return false;
  }
}

/** Sets only the script's own variables. */
const readsIntoOwnVariables: ReadOnlyCheck = ({ args }) =>
  args.every((word) => isKnown(word) && !word.isGlob && (word.text === "-r" || isOwnVariable(word.text))) &&
  args.some((word) => word.text !== "-r");

const exportsOwnVariables: ReadOnlyCheck = ({ args }) =>
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
  /^-[vV]$/.test(option?.text ?? "") && names.length > 0 && allMatch(names, /^[\w.+-]{1,60}$/);

/** Excludes options that change how words are read: `noglob` and `shopt` are asked about. */
const SET_OPTION = /^(?:[-+][euvx]{1,4}|[-+][euvx]{0,4}o|pipefail|errexit|nounset|verbose|xtrace)$/;

export const SHELL_BUILTINS: ProgramGrammars = {
  echo: printsWords,
  true: printsWords,
  false: printsWords,
  ":": printsWords,
  basename: printsWords,
  dirname: printsWords,
  expr: (command, locations) => command.args.every(isKnown) && printsWords(command, locations),
  printf: printsFormat,
  test: isFileOrTextTest,
  "[": isFileOrTextTest,
  "[[": takesNoArguments,
  cd: changesFolder,
  pushd: changesFolder,
  popd: takesNoArguments,
  pwd: words(/^-[LP]$/, 1),
  read: readsIntoOwnVariables,
  export: exportsOwnVariables,
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
  set: words(SET_OPTION, 9, 1),
};
