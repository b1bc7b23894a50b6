import type { Word, WordPart } from "unbash";
import { giveUp, spend } from "../work.ts";
import { bracedSequence, splitAtCommas } from "./brace-texts.ts";
import { changedValue, sumOf } from "./guessed-values.ts";
import { parseScript } from "./parse-script.ts";
import { pathsPrinted, printsPaths, programSought } from "./printed-paths.ts";
import { wordsPrinted } from "./printed-text.ts";
import { ANY_VARIABLE, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import {
  FIELD,
  fewVariables,
  fieldsOf,
  isTooLong,
  join,
  NUMBER,
  type Piece,
  plain,
  split,
} from "./word-pieces.ts";

/** What a word is expanded with. A variable has all values the script gives it anywhere. */
export interface Surroundings {
  readonly home: string;
  readonly cwds: readonly string[];
  readonly values: ReadonlyMap<string, readonly VariableValue[]>;
  /** Variables that were certainly assigned before; the others may have any value beside. */
  readonly assigned: ReadonlySet<string>;
  /** Whether a star finds hidden names, too. */
  readonly findsHidden: boolean;
}

export interface VariableValue {
  readonly text: string;
  readonly isGlob: boolean;
  /** Other variables that it came from. */
  readonly variables?: readonly string[];
  /** What it may be, where the text is not known. */
  readonly guesses?: readonly string[];
  /** Whether a digit in it stands for a number that is not known. */
  readonly holdsNumber?: boolean;
}

/** `*(D)`, `*(.D)`: zsh's flags for one glob. */
const HIDDEN_FLAG = /\([^()|/]{0,20}D[^()|/]{0,20}\)$/;
const MOST_CHOICES = 256;
const DEEPEST = 8;
/** What a word can become: each choice is the list of words it then is. */
export function expandWord(word: Word, around: Surroundings, depth = 0): readonly (readonly ShellWord[])[] {
  const parts = word.parts;
  const pieces =
    parts === undefined ? [tilde(word.text, word.value, around)] : expandParts(parts, around, depth, false);
  const isQuoted = /["'\\]/.test(word.text);
  const choices = pieces.map((piece) =>
    piece.text
      .split(FIELD)
      .filter((text) => text !== "" || isQuoted)
      .map((text) => ({
        text,
        shown: text.includes(UNKNOWN) ? shorten(word.text) : text,
        isGlob: piece.isGlob,
        variables: piece.variables,
        isProcess: piece.isProcess,
        ...(piece.isGlob && (around.findsHidden || HIDDEN_FLAG.test(word.text)) ? { findsHidden: true } : {}),
        ...(piece.isSplit ? { isSplit: true } : {}),
        ...(piece.splitsNames || piece.text.includes(FIELD) ? { splitsNames: true } : {}),
        ...(piece.holdsNumber ? { holdsNumber: true } : {}),
        ...(piece.guesses.length > 0 ? { guesses: fieldsOf(piece.guesses, isQuoted) } : {}),
      })),
  );
  return parts?.some((part) => part.type === "BraceExpansion") ? [choices.flat()] : choices;
}

/** The text of a here-document's body or of any parts, as if quoted: the first of its choices. */
export function expandText(
  parts: readonly WordPart[],
  around: Surroundings,
): { readonly text: string; readonly variables: readonly string[] } {
  const [first = plain(UNKNOWN)] = expandParts(parts, around, 0, true);
  return { text: first.text, variables: first.variables };
}

function expandParts(
  parts: readonly WordPart[],
  around: Surroundings,
  depth: number,
  isQuoted: boolean,
): readonly Piece[] {
  let pieces: readonly Piece[] = [plain("")];
  for (const [at, part] of parts.entries()) {
    const choices = expandPart(part, around, depth, isQuoted, at === 0);
    if (pieces.length * choices.length > MOST_CHOICES) return [anythingOf(parts)];
    spend(choices.reduce((sum, { text }) => sum + pieces.length * (60 + 4 * text.length), 0));
    pieces = pieces.flatMap((before) => choices.map((choice) => join(before, choice)));
    if (pieces.some(isTooLong)) return [anythingOf(parts)];
  }
  return pieces;
}

const ANYTHING: Piece = { ...plain(UNKNOWN), isGlob: true, isSplit: true };

/**
 * For more ways than are followed: any text, and with a variable in it the value of any. What braces make is written
 * there to be read, so it is never taken for unknown.
 */
function anythingOf(parts: readonly WordPart[]): Piece {
  if (parts.some(({ type }) => type === "BraceExpansion")) giveUp();
  const variables = parts.some(({ text }) => text.includes("$")) ? [ANY_VARIABLE] : [];
  return { ...ANYTHING, variables };
}

function expandPart(
  part: WordPart,
  around: Surroundings,
  depth: number,
  isQuoted: boolean,
  isFirst: boolean,
): readonly Piece[] {
  switch (part.type) {
    case "Literal":
      return [isFirst && !isQuoted ? tilde(part.text, part.value, around) : plain(part.value)];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [plain(part.value.replaceAll(UNKNOWN, ""))];
    case "DoubleQuoted":
    case "LocaleString":
      return expandParts(part.parts, around, depth, true);
    case "Glob":
      return [{ ...plain(part.text), isGlob: !isQuoted }];
    case "ExtendedGlob":
      return alternatives(part.text);
    case "SimpleExpansion":
      return variable(part.text.replace(/^\$/, ""), around, isQuoted);
    case "ParameterExpansion":
      return parameter(part, around, depth, isQuoted);
    case "CommandExpansion":
      return printed(part, around, depth).map((piece) => split(piece, isQuoted));
    case "ArithmeticExpansion": {
      const sum = sumOf(part.expression, (name) => around.values.get(name)?.[0]?.text);
      return [{ ...NUMBER, guesses: sum === undefined ? [] : [String(sum)] }];
    }
    case "ProcessSubstitution":
      return [{ ...plain("/dev/fd/63"), isProcess: true }];
    case "BraceExpansion":
      if (depth >= DEEPEST) giveUp();
      return braces(part.text, around, depth, isQuoted);
    default:
      part satisfies never;
      return [plain(UNKNOWN)];
  }
}

/** `@(a|b)`: what it may be by its letters, beside whatever it finds. `!(a)` says only what it is not. */
function alternatives(text: string): readonly Piece[] {
  const [, sign, inside = ""] = /^([@?+*])\((.*)\)$/s.exec(text) ?? [];
  const any: Piece = { ...plain("*"), isGlob: true };
  if (sign === undefined || /[()]/.test(inside)) return [any];
  const texts = inside.split("|").map((each) => each.replace(/["'\\]/g, ""));
  if (texts.length > MAX_ALTERNATIVES) giveUp();
  const found = texts.map((each) => ({ ...plain(each), isGlob: /[*?[]/.test(each) }));
  // Once, or not at all; the others repeat.
  const more = sign === "@" || sign === "?" ? [] : [any];
  return [...more, ...found, ...(sign === "?" || sign === "*" ? [plain("")] : [])];
}

const MAX_ALTERNATIVES = 64;

function parameter(
  part: Extract<WordPart, { type: "ParameterExpansion" }>,
  around: Surroundings,
  depth: number,
  isQuoted: boolean,
): readonly Piece[] {
  if (part.prefix === "#") return [NUMBER];
  const own = variable(part.parameter, around, isQuoted && part.index === undefined);
  if (part.prefix === "!") {
    const guesses = own.flatMap(({ text }) => (around.values.get(text) ?? []).map((value) => value.text));
    return [split({ ...plain(UNKNOWN), variables: [ANY_VARIABLE], guesses }, isQuoted)];
  }
  const operation = part.operation;
  if (operation === undefined) return own;
  if (operation.type !== "Default") {
    const read = (operand: Word): string | undefined => {
      const words = expandWord(operand, around, depth + 1)[0] ?? [];
      return words.some(({ text }) => text.includes(UNKNOWN))
        ? undefined
        : words.map(({ text }) => text).join(" ");
    };
    const guess = (text: string): readonly string[] => {
      const changed = text.includes(UNKNOWN)
        ? undefined
        : changedValue(text.replaceAll(FIELD, " "), operation, read);
      return changed === undefined ? [] : [changed];
    };
    const whole = variable(part.parameter, around, true);
    return own.map((piece, at) =>
      split(
        {
          ...piece,
          text: UNKNOWN,
          guesses: [whole[at]?.text ?? piece.text, ...piece.guesses].flatMap(guess),
        },
        isQuoted && part.index === undefined,
      ),
    );
  }
  const other = expandWord(operation.operand, around, depth + 1).map((words) => ({
    ...plain(words.map((each) => each.text).join(isQuoted ? " " : FIELD)),
    isGlob: words.some((each) => each.isGlob),
    variables: [part.parameter],
    isSplit: words.some((each) => each.isSplit === true),
    holdsNumber: words.some((each) => each.holdsNumber === true),
    isHeld: true,
  }));
  if (operation.operator.endsWith("?")) return own;
  return operation.operator.endsWith("+") ? [...other, plain("")] : [...own, ...other];
}

function variable(name: string, around: Surroundings, isQuoted: boolean): readonly Piece[] {
  const own = around.values.get(name) ?? [];
  const texts = around.assigned.has(name) ? own : [...own, ...environment(name, around)];
  return texts.map((value) => ({
    text: isQuoted ? value.text : splitFields(value.text, around),
    isGlob: value.isGlob || (!isQuoted && /[*?[]/.test(value.text)),
    // What the script itself put there is no secret of the environment, unless it came from one.
    variables: fewVariables([...(around.assigned.has(name) ? [] : [name]), ...(value.variables ?? [])]),
    isProcess: false,
    isSplit: /^[@*]$/.test(name) || (!isQuoted && value.text.includes(UNKNOWN)),
    isHeld: true,
    splitsNames: value.isGlob && !isQuoted,
    holdsNumber: value.holdsNumber === true,
    guesses: value.guesses ?? [],
  }));
}

/** At blanks, and at whatever the script makes a separator. */
function splitFields(text: string, around: Surroundings): string {
  spend(8 * text.length);
  const separators = (around.values.get("IFS") ?? []).map((value) => value.text).join("");
  return [...text].map((char) => (/\s/.test(char) || separators.includes(char) ? FIELD : char)).join("");
}

/** Numbers. A path that is written with one is judged as if it were 0, and is never known to be harmless. */
const NUMBERS = /^(?:[$#?]|RANDOM|SRANDOM|UID|EUID|PPID|BASHPID|SECONDS|EPOCHSECONDS|LINENO|SHLVL)$/;

function environment(name: string, around: Surroundings): readonly VariableValue[] {
  const value = (text: string): VariableValue => ({ text, isGlob: false });
  if (name === "HOME") return [value(around.home)];
  if (name === "IFS") return [value(" ")];
  if (name === "PWD") return around.cwds.map(value);
  if (name === "USER" || name === "LOGNAME") return [value(around.home.split("/").at(-1) ?? UNKNOWN)];
  return [NUMBERS.test(name) ? { ...value("0"), holdsNumber: true } : value(UNKNOWN)];
}

/** What a command substitution prints, for the few where it is certain; what `echo` is told, as a guess. */
function printed(
  { text, script }: Extract<WordPart, { type: "CommandExpansion" }>,
  around: Surroundings,
  depth: number,
): readonly Piece[] {
  const inside = text.replace(/^(?:\$\(|`)|[)`]$/g, "").trim();
  if (inside === "pwd") return around.cwds.map(plain);
  if (/^mktemp(?: -(?:[dq]+|-directory))*$/.test(inside)) return [plain("/tmp/tmp.0")];
  const command = script?.commands.length === 1 ? script.commands[0]!.command : undefined;
  if (command?.type !== "Command" || depth >= DEEPEST) return [plain(UNKNOWN)];
  const name = command.name?.value ?? "";
  const sought = programSought(inside);
  if (sought !== undefined) return [{ ...plain(UNKNOWN), guesses: [sought] }];
  if (name !== "echo" && name !== "printf" && !printsPaths(name)) return [plain(UNKNOWN)];
  const words = command.args.flatMap((word) =>
    word.type === "Word" ? expandWord(word, around, depth + 1).flat() : [],
  );
  if (printsPaths(name)) return [{ ...plain(UNKNOWN), guesses: pathsPrinted(name, words) }];
  const given = wordsPrinted(name, words)?.trimEnd();
  return [{ ...plain(UNKNOWN), guesses: given === undefined || given.includes(UNKNOWN) ? [] : [given] }];
}

/** `~`, `~+`, `~-`; and `!$` of a shell at a terminal, which is the last word before. */
function tilde(source: string, value: string, around: Surroundings): Piece {
  const [, last] = /^!(?:!?:?\$|\*)(.*)$/s.exec(source) ?? [];
  if (last !== undefined) return { ...plain(value), guesses: guessed("_", last, around) };
  if (!source.startsWith("~")) return plain(value);
  const [prefix = "", rest = ""] = /^~([^/:]*)(.*)$/s.exec(value)?.slice(1) ?? [];
  if (prefix === "") return plain(around.home + rest);
  if (prefix === "+") return plain((around.cwds[0] ?? UNKNOWN) + rest);
  if (/^[-+]?\d*$/.test(prefix))
    return { ...plain(UNKNOWN + rest), guesses: guessed("OLDPWD", rest, around) };
  return plain((prefix === "root" ? "/root" : UNKNOWN) + rest);
}

function guessed(variable: string, rest: string, { values }: Surroundings): readonly string[] {
  return (values.get(variable) ?? []).flatMap(({ guesses = [] }) => guesses.map((each) => each + rest));
}

function braces(text: string, around: Surroundings, depth: number, isQuoted: boolean): readonly Piece[] {
  const inside = text.slice(1, -1);
  const texts = bracedSequence(inside) ?? splitAtCommas(inside);
  return texts.flatMap((each) => {
    // A long sequence is matched like a glob.
    if (each === UNKNOWN) return [{ ...plain("*"), isGlob: true, isSplit: true }];
    const command = parseScript(`: ${each}`).commands[0]?.command;
    const word = command?.type === "Command" ? command.args[0] : undefined;
    if (each === "" || word?.type !== "Word" || word.text !== each) return [plain(each)];
    if (word.parts === undefined) return [plain(word.value)];
    return expandParts(word.parts, around, depth + 1, isQuoted);
  });
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
