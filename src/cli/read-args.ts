import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { AppError } from "../app-error.ts";
import { closestWord } from "../shown/did-you-mean.ts";

/** Adds to citty's definition: whether an argument takes all remaining words, and whether it may be empty. */
export type CheckedArg = ArgDef & { readonly variadic?: boolean; readonly mayBeEmpty?: boolean };

export interface CheckedArgs {
  /** The same arguments in a form that the parser cannot misread: `--name=value … -- positional …`. */
  readonly argv: string[];
  readonly wantsHelp: boolean;
}

/**
 * Validates the arguments of a command. The parser drops unknown ones: a mistyped `--dry-run` must not run
 * for real.
 */
export async function checkArgs(command: CommandDef<never>, raw: readonly string[]): Promise<CheckedArgs> {
  const meta = await resolveValue(command.meta);
  const name = meta?.name ?? "";
  const defs = Object.entries((await resolveValue<ArgsDef>(command.args as never)) ?? {}) as [
    string,
    CheckedArg,
  ][];
  const words = readWords(name, defs, raw);
  if (!words.wantsHelp) checkPositionals(name, defs, words.positionals);
  return { argv: [...words.options, "--", ...words.positionals], wantsHelp: words.wantsHelp };
}

/** Rejects options that the chosen action or option does not support; `undefined` means absent. */
export function refuseUnused(flags: Readonly<Record<string, unknown>>, why: (flag: string) => string): void {
  for (const [name, value] of Object.entries(flags))
    if (value !== undefined) throw new AppError("usage", why(`--${name}`));
}

export function unknownOption(command: string, option: string, known: readonly string[]): AppError {
  const suggestion = closestWord(option, known);
  const how = suggestion === null ? `see \`hookline ${command} --help\`.` : `did you mean --${suggestion}?`;
  return new AppError("usage", `unknown option ${option}; ${how}`);
}

export function unexpectedArgument(command: string, word: string): AppError {
  return new AppError(
    "usage",
    `unexpected argument "${word}"; quote text with spaces, or see \`hookline ${command} --help\`.`,
  );
}

/** For a command with several actions. */
export function unknownAction(command: string, action: string, known: readonly string[]): AppError {
  const suggestion = closestWord(action, known);
  const how = suggestion === null ? `use ${known.join(", ")}.` : `did you mean ${suggestion}?`;
  return new AppError("usage", `${command} has no action "${action}"; ${how}`);
}

interface ParsedWords {
  readonly options: string[];
  readonly positionals: string[];
  wantsHelp: boolean;
}

function readWords(
  command: string,
  defs: readonly [string, CheckedArg][],
  raw: readonly string[],
): ParsedWords {
  const words: ParsedWords = { options: [], positionals: [], wantsHelp: false };
  for (let index = 0; index < raw.length; index++) {
    const word = raw[index]!;
    if (word === "--") {
      words.positionals.push(...raw.slice(index + 1));
      break;
    }
    if (!isOption(word)) {
      words.positionals.push(word);
      continue;
    }
    for (const { name, value } of splitOption(command, defs, word)) {
      if (name === "help") words.wantsHelp = true;
      else if (typeOf(defs, name) !== "string") words.options.push(booleanOption(name, value));
      else if (value !== null) words.options.push(`--${name}=${checkedValue(defs, name, value)}`);
      else words.options.push(`--${name}=${checkedValue(defs, name, raw[++index])}`);
    }
  }
  refuseContradictions(words.options);
  return words;
}

/** `--approve --no-approve`: neither is a safe guess. */
function refuseContradictions(options: readonly string[]): void {
  const negated = options.find(
    (option) => options.includes(option.replace(/^--no-/, "--")) && option.startsWith("--no-"),
  );
  if (negated !== undefined)
    throw new AppError("usage", `${negated.replace(/^--no-/, "--")} and ${negated} contradict each other.`);
}

/** A dash, then a name. Not `-`, not `-5`, and not a sentence that starts with a dash. */
function isOption(word: string): boolean {
  return /^--?[^\s=\d.-][^\s=]*(?:=|$)/.test(word);
}

interface ParsedOption {
  readonly name: string;
  readonly value: string | null;
}

function splitOption(command: string, defs: readonly [string, CheckedArg][], word: string): ParsedOption[] {
  const [, dashes, key, value = null] = /^(--?)([^=]+)(?:=([\s\S]*))?$/.exec(word)!;
  if (dashes === "-") return splitLetters(command, defs, word);
  if (key === "help") return [{ name: "help", value }];
  const options = defs.filter(([, def]) => def.type !== "positional");
  if (options.some(([name]) => name === key)) return [{ name: key!, value }];
  const negated = options.find(([name, def]) => key === `no-${name}` && "negativeDescription" in def);
  if (negated !== undefined) return [{ name: key!, value }];
  const known = options.flatMap(([name, def]) =>
    "negativeDescription" in def ? [name, `no-${name}`] : [name],
  );
  throw unknownOption(command, `--${key}`, known);
}

/** `-f`, `-n 5`, `-n5`, `-fn5`. */
function splitLetters(command: string, defs: readonly [string, CheckedArg][], word: string): ParsedOption[] {
  const options: ParsedOption[] = [];
  for (let index = 1; index < word.length; index++) {
    const letter = word[index]!;
    const found = defs.find(([, def]) => ("alias" in def ? [def.alias].flat() : []).includes(letter))?.[0];
    if (found === undefined && letter === "h") options.push({ name: "help", value: null });
    else if (found === undefined) {
      const names = defs.filter(([, def]) => def.type !== "positional").map(([name]) => name);
      throw unknownOption(command, word, word.length > 2 ? names : []);
    } else if (typeOf(defs, found) === "string") {
      const rest = word.slice(index + 1).replace(/^=/, "");
      return [...options, { name: found, value: rest === "" ? null : rest }];
    } else options.push({ name: found, value: null });
  }
  return options;
}

function typeOf(defs: readonly [string, CheckedArg][], name: string): string | undefined {
  return defs.find(([known]) => known === name)?.[1].type;
}

function booleanOption(name: string, value: string | null): string {
  if (value !== null) throw new AppError("usage", `--${name} takes no value.`);
  return `--${name}`;
}

function checkedValue(
  defs: readonly [string, CheckedArg][],
  name: string,
  value: string | undefined,
): string {
  if (value === undefined || value === "--" || isOption(value)) {
    const how = value === undefined ? "" : ` (use \`--${name}=${value}\` if "${value}" is the value)`;
    throw new AppError("usage", `--${name} needs a value${how}.`);
  }
  const { mayBeEmpty = false } = defs.find(([known]) => known === name)![1];
  if (value.trim() === "" && !mayBeEmpty) throw new AppError("usage", `--${name} is empty.`);
  return value;
}

function checkPositionals(
  command: string,
  defs: readonly [string, CheckedArg][],
  words: readonly string[],
): void {
  const positionals = defs.filter(([, def]) => def.type === "positional");
  const maxCount = positionals.some(([, def]) => def.variadic)
    ? Number.POSITIVE_INFINITY
    : positionals.length;
  if (words.length > maxCount) throw unexpectedArgument(command, words[maxCount]!);
  for (const [index, [name, def]] of positionals.entries()) {
    const word = words[index];
    if (word === undefined && def.required) {
      throw new AppError(
        "usage",
        `${name.toUpperCase()} is missing: \`hookline ${command} ${name.toUpperCase()}\`.`,
      );
    }
    if (word !== undefined && word.trim() === "" && !def.mayBeEmpty)
      throw new AppError("usage", `${name.toUpperCase()} is empty.`);
  }
}

async function resolveValue<T>(
  value: T | (() => T | Promise<T>) | Promise<T> | undefined,
): Promise<T | undefined> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}
