import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { AppError } from "../app-error.ts";
import { closestWord } from "../shown/did-you-mean.ts";

/** Adds to citty's definition: whether an argument takes all remaining words, and whether it may be empty. */
export type CheckedArg = ArgDef & { readonly variadic?: boolean; readonly mayBeEmpty?: boolean };

export interface CheckedArgs {
  /** The same arguments in the one form that the parser cannot misread: `--name=value … -- positional …`. */
  readonly argv: string[];
  readonly wantsHelp: boolean;
}

/**
 * Validates the arguments of a command. The parser drops unknown ones: a mistyped `--dry-run` must not run
 * for real.
 */
export async function checkArgs(command: CommandDef<never>, raw: readonly string[]): Promise<CheckedArgs> {
  const meta = await resolved(command.meta);
  const name = meta?.name ?? "";
  const defs = Object.entries((await resolved<ArgsDef>(command.args as never)) ?? {}) as [
    string,
    CheckedArg,
  ][];
  const read = readWords(name, defs, raw);
  if (!read.wantsHelp) checkPositionals(name, defs, read.positionals);
  return { argv: [...read.options, "--", ...read.positionals], wantsHelp: read.wantsHelp };
}

/** Rejects options that the chosen action or option does not support; `undefined` means absent. */
export function refuseUnused(given: Readonly<Record<string, unknown>>, why: (flag: string) => string): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) throw new AppError("usage", why(`--${name}`));
}

export function unknownOption(command: string, option: string, known: readonly string[]): AppError {
  const meant = closestWord(option, known);
  const how = meant === null ? `see \`hookline ${command} --help\`.` : `did you mean --${meant}?`;
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
  const meant = closestWord(action, known);
  const how = meant === null ? `use ${known.join(", ")}.` : `did you mean ${meant}?`;
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
  for (let at = 0; at < raw.length; at++) {
    const word = raw[at]!;
    if (word === "--") {
      words.positionals.push(...raw.slice(at + 1));
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
      else words.options.push(`--${name}=${checkedValue(defs, name, raw[++at])}`);
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

interface GivenOption {
  readonly name: string;
  readonly value: string | null;
}

function splitOption(command: string, defs: readonly [string, CheckedArg][], word: string): GivenOption[] {
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
function splitLetters(command: string, defs: readonly [string, CheckedArg][], word: string): GivenOption[] {
  const given: GivenOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    const found = defs.find(([, def]) => ("alias" in def ? [def.alias].flat() : []).includes(letter))?.[0];
    if (found === undefined && letter === "h") given.push({ name: "help", value: null });
    else if (found === undefined) {
      const names = defs.filter(([, def]) => def.type !== "positional").map(([name]) => name);
      throw unknownOption(command, word, word.length > 2 ? names : []);
    } else if (typeOf(defs, found) === "string") {
      const rest = word.slice(at + 1).replace(/^=/, "");
      return [...given, { name: found, value: rest === "" ? null : rest }];
    } else given.push({ name: found, value: null });
  }
  return given;
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
  const taken = defs.filter(([, def]) => def.type === "positional");
  const most = taken.some(([, def]) => def.variadic) ? Number.POSITIVE_INFINITY : taken.length;
  if (words.length > most) throw unexpectedArgument(command, words[most]!);
  for (const [at, [name, def]] of taken.entries()) {
    const word = words[at];
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

async function resolved<T>(
  value: T | (() => T | Promise<T>) | Promise<T> | undefined,
): Promise<T | undefined> {
  return typeof value === "function" ? await (value as () => T | Promise<T>)() : await value;
}
