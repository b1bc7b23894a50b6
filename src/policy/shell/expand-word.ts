import type { Word, WordPart } from "unbash";
import { giveUp, spend } from "../work.ts";
import { expandSequence, splitAtCommas } from "./brace-texts.ts";
import { applyOperation, evaluateSum } from "./guessed-values.ts";
import { parseScript } from "./parse-script.ts";
import { lookedUpProgram, printedPaths, printsPaths } from "./printed-paths.ts";
import { textOfPrintedWords } from "./printed-text.ts";
import { ANY_VARIABLE, type ShellWord, UNKNOWN } from "./shell-reading.ts";
import {
  type ExpansionPiece,
  FIELD_SEPARATOR,
  isPieceTooLong,
  joinPieces,
  limitVariables,
  markSplit,
  NUMBER_PIECE,
  plainPiece,
  splitGuesses,
} from "./word-pieces.ts";

/** The context for expanding a word. A variable has every value that the script ever assigns to it. */
export interface ExpansionContext {
  readonly home: string;
  readonly cwds: readonly string[];
  readonly values: ReadonlyMap<string, readonly VariableValue[]>;
  /** Variables that were certainly assigned before; others may also have any other value. */
  readonly assigned: ReadonlySet<string>;
  /** Whether a star matches hidden names too. */
  readonly findsHidden: boolean;
}

export interface VariableValue {
  readonly text: string;
  readonly isGlob: boolean;
  /** Other variables that it came from. */
  readonly variables?: readonly string[];
  /** Possible values, where the text is unknown. */
  readonly guesses?: readonly string[];
  /** Whether a digit in it stands for an unknown number. */
  readonly holdsNumber?: boolean;
}

/** `*(D)`, `*(.D)`: zsh's flags for one glob. */
const HIDDEN_FLAG = /\([^()|/]{0,20}D[^()|/]{0,20}\)$/;
const MAX_CHOICES = 256;
const MAX_DEPTH = 8;

/** What a word can become: each choice is a list of words. */
export function expandWord(
  word: Word,
  context: ExpansionContext,
  depth = 0,
): readonly (readonly ShellWord[])[] {
  const parts = word.parts;
  const pieces =
    parts === undefined
      ? [expandTilde(word.text, word.value, context)]
      : expandParts(parts, context, depth, false);
  const isQuoted = /["'\\]/.test(word.text);
  const choices = pieces.map((piece) =>
    piece.text
      .split(FIELD_SEPARATOR)
      .filter((text) => text !== "" || isQuoted)
      .map((text) => ({
        text,
        display: text.includes(UNKNOWN) ? shorten(word.text) : text,
        isGlob: piece.isGlob,
        variables: piece.variables,
        isProcess: piece.isProcess,
        ...(piece.isGlob && (context.findsHidden || HIDDEN_FLAG.test(word.text))
          ? { findsHidden: true }
          : {}),
        ...(piece.isSplit ? { isSplit: true } : {}),
        ...(piece.splitsNames || piece.text.includes(FIELD_SEPARATOR) ? { splitsNames: true } : {}),
        ...(piece.holdsNumber ? { holdsNumber: true } : {}),
        ...(piece.guesses.length > 0 ? { guesses: splitGuesses(piece.guesses, isQuoted) } : {}),
      })),
  );
  return parts?.some((part) => part.type === "BraceExpansion") ? [choices.flat()] : choices;
}

/** The text of a here-document's body or of any parts, as if quoted: the first of its choices. */
export function expandText(
  parts: readonly WordPart[],
  context: ExpansionContext,
): { readonly text: string; readonly variables: readonly string[] } {
  const [first = plainPiece(UNKNOWN)] = expandParts(parts, context, 0, true);
  return { text: first.text, variables: first.variables };
}

function expandParts(
  parts: readonly WordPart[],
  context: ExpansionContext,
  depth: number,
  isQuoted: boolean,
): readonly ExpansionPiece[] {
  let pieces: readonly ExpansionPiece[] = [plainPiece("")];
  for (const [at, part] of parts.entries()) {
    const choices = expandPart(part, context, depth, isQuoted, at === 0);
    if (pieces.length * choices.length > MAX_CHOICES) giveUp();
    spend(choices.reduce((sum, { text }) => sum + pieces.length * (60 + 4 * text.length), 0));
    pieces = pieces.flatMap((before) => choices.map((choice) => joinPieces(before, choice)));
    if (pieces.some(isPieceTooLong)) giveUp();
  }
  return pieces;
}

function expandPart(
  part: WordPart,
  context: ExpansionContext,
  depth: number,
  isQuoted: boolean,
  isFirst: boolean,
): readonly ExpansionPiece[] {
  switch (part.type) {
    case "Literal":
      return [isFirst && !isQuoted ? expandTilde(part.text, part.value, context) : plainPiece(part.value)];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [plainPiece(part.value.replaceAll(UNKNOWN, ""))];
    case "DoubleQuoted":
    case "LocaleString":
      return expandParts(part.parts, context, depth, true);
    case "Glob":
      return [{ ...plainPiece(part.text), isGlob: !isQuoted }];
    case "ExtendedGlob":
      return expandExtendedGlob(part.text);
    case "SimpleExpansion":
      return expandVariable(part.text.replace(/^\$/, ""), context, isQuoted);
    case "ParameterExpansion":
      return expandParameter(part, context, depth, isQuoted);
    case "CommandExpansion":
      return expandSubstitution(part, context, depth).map((piece) => markSplit(piece, isQuoted));
    case "ArithmeticExpansion": {
      const sum = evaluateSum(part.expression, (name) => context.values.get(name)?.[0]?.text);
      return [{ ...NUMBER_PIECE, guesses: sum === undefined ? [] : [String(sum)] }];
    }
    case "ProcessSubstitution":
      return [{ ...plainPiece("/dev/fd/63"), isProcess: true }];
    case "BraceExpansion":
      if (depth >= MAX_DEPTH) giveUp();
      return expandBracePart(part.text, context, depth, isQuoted);
    default:
      part satisfies never;
      return [plainPiece(UNKNOWN)];
  }
}

/** `@(a|b)`: the alternatives it lists, besides whatever it matches. `!(a)` lists only what it excludes. */
function expandExtendedGlob(text: string): readonly ExpansionPiece[] {
  const [, sign, inside = ""] = /^([@?+*])\((.*)\)$/s.exec(text) ?? [];
  const any: ExpansionPiece = { ...plainPiece("*"), isGlob: true };
  if (sign === undefined || /[()]/.test(inside)) return [any];
  const texts = inside.split("|").map((alternative) => alternative.replace(/["'\\]/g, ""));
  if (texts.length > MAX_ALTERNATIVES) giveUp();
  const found = texts.map((alternative) => ({
    ...plainPiece(alternative),
    isGlob: /[*?[]/.test(alternative),
  }));
  // Once, or not at all; the others repeat.
  const repeated = sign === "@" || sign === "?" ? [] : [any];
  return [...repeated, ...found, ...(sign === "?" || sign === "*" ? [plainPiece("")] : [])];
}

const MAX_ALTERNATIVES = 64;

function expandParameter(
  part: Extract<WordPart, { type: "ParameterExpansion" }>,
  context: ExpansionContext,
  depth: number,
  isQuoted: boolean,
): readonly ExpansionPiece[] {
  if (part.prefix === "#") return [NUMBER_PIECE];
  const values = expandVariable(part.parameter, context, isQuoted && part.index === undefined);
  if (part.prefix === "!") {
    const guesses = values.flatMap(({ text }) => (context.values.get(text) ?? []).map((value) => value.text));
    return [markSplit({ ...plainPiece(UNKNOWN), variables: [ANY_VARIABLE], guesses }, isQuoted)];
  }
  const operation = part.operation;
  if (operation === undefined) return values;
  if (operation.type !== "Default") {
    const read = (operand: Word): string | undefined => {
      const words = expandWord(operand, context, depth + 1)[0] ?? [];
      return words.some(({ text }) => text.includes(UNKNOWN))
        ? undefined
        : words.map(({ text }) => text).join(" ");
    };
    const guess = (text: string): readonly string[] => {
      const changed = text.includes(UNKNOWN)
        ? undefined
        : applyOperation(text.replaceAll(FIELD_SEPARATOR, " "), operation, read);
      return changed === undefined ? [] : [changed];
    };
    const value = expandVariable(part.parameter, context, true);
    return values.map((piece, at) =>
      markSplit(
        {
          ...piece,
          text: UNKNOWN,
          guesses: [value[at]?.text ?? piece.text, ...piece.guesses].flatMap(guess),
        },
        isQuoted && part.index === undefined,
      ),
    );
  }
  const alternatives = expandWord(operation.operand, context, depth + 1).map((words) => ({
    ...plainPiece(words.map(({ text }) => text).join(isQuoted ? " " : FIELD_SEPARATOR)),
    isGlob: words.some(({ isGlob }) => isGlob),
    variables: [part.parameter],
    isSplit: words.some(({ isSplit }) => isSplit === true),
    holdsNumber: words.some(({ holdsNumber }) => holdsNumber === true),
    isFromVariable: true,
  }));
  if (operation.operator.endsWith("?")) return values;
  return operation.operator.endsWith("+") ? [...alternatives, plainPiece("")] : [...values, ...alternatives];
}

function expandVariable(
  name: string,
  context: ExpansionContext,
  isQuoted: boolean,
): readonly ExpansionPiece[] {
  const values = context.values.get(name) ?? [];
  const texts = context.assigned.has(name) ? values : [...values, ...environmentValues(name, context)];
  return texts.map((value) => ({
    text: isQuoted ? value.text : splitFields(value.text, context),
    isGlob: value.isGlob || (!isQuoted && /[*?[]/.test(value.text)),
    // A value that the script itself assigned is no secret of the environment, unless it came from one.
    variables: limitVariables([...(context.assigned.has(name) ? [] : [name]), ...(value.variables ?? [])]),
    isProcess: false,
    isSplit: /^[@*]$/.test(name) || (!isQuoted && value.text.includes(UNKNOWN)),
    isFromVariable: true,
    splitsNames: value.isGlob && !isQuoted,
    holdsNumber: value.holdsNumber === true,
    guesses: value.guesses ?? [],
  }));
}

/** Splits at spaces, and at any separator that the script sets. */
function splitFields(text: string, context: ExpansionContext): string {
  spend(8 * text.length);
  const separators = (context.values.get("IFS") ?? []).map((value) => value.text).join("");
  return [...text]
    .map((char) => (/\s/.test(char) || separators.includes(char) ? FIELD_SEPARATOR : char))
    .join("");
}

/** Numbers. A path that contains one is judged as if it were 0, and never counts as harmless. */
const NUMERIC_VARIABLE = /^(?:[$#?]|RANDOM|SRANDOM|UID|EUID|PPID|BASHPID|SECONDS|EPOCHSECONDS|LINENO|SHLVL)$/;

function environmentValues(name: string, context: ExpansionContext): readonly VariableValue[] {
  const value = (text: string): VariableValue => ({ text, isGlob: false });
  if (name === "HOME") return [value(context.home)];
  if (name === "IFS") return [value(" ")];
  if (name === "PWD") return context.cwds.map(value);
  if (name === "USER" || name === "LOGNAME") return [value(context.home.split("/").at(-1) ?? UNKNOWN)];
  return [NUMERIC_VARIABLE.test(name) ? { ...value("0"), holdsNumber: true } : value(UNKNOWN)];
}

/** The output of a command substitution, for the few where it is certain; that of `echo`, as a guess. */
function expandSubstitution(
  { text, script }: Extract<WordPart, { type: "CommandExpansion" }>,
  context: ExpansionContext,
  depth: number,
): readonly ExpansionPiece[] {
  const inside = text.replace(/^(?:\$\(|`)|[)`]$/g, "").trim();
  if (inside === "pwd") return context.cwds.map(plainPiece);
  if (/^mktemp(?: -(?:[dq]+|-directory))*$/.test(inside)) return [plainPiece("/tmp/tmp.0")];
  const command = script?.commands.length === 1 ? script.commands[0]!.command : undefined;
  if (command?.type !== "Command" || depth >= MAX_DEPTH) return [plainPiece(UNKNOWN)];
  const name = command.name?.value ?? "";
  const program = lookedUpProgram(inside);
  if (program !== undefined) return [{ ...plainPiece(UNKNOWN), guesses: [program] }];
  if (name !== "echo" && name !== "printf" && !printsPaths(name)) return [plainPiece(UNKNOWN)];
  const words = command.args.flatMap((word) =>
    word.type === "Word" ? expandWord(word, context, depth + 1).flat() : [],
  );
  if (printsPaths(name)) return [{ ...plainPiece(UNKNOWN), guesses: printedPaths(name, words) }];
  const output = textOfPrintedWords(name, words)?.trimEnd();
  return [
    { ...plainPiece(UNKNOWN), guesses: output === undefined || output.includes(UNKNOWN) ? [] : [output] },
  ];
}

/** `~`, `~+`, `~-`; and `!$` in an interactive shell, which is the last word before. */
function expandTilde(source: string, value: string, context: ExpansionContext): ExpansionPiece {
  const [, last] = /^!(?:!?:?\$|\*)(.*)$/s.exec(source) ?? [];
  if (last !== undefined) return { ...plainPiece(value), guesses: guessValues("_", last, context) };
  if (!source.startsWith("~")) return plainPiece(value);
  const [prefix = "", rest = ""] = /^~([^/:]*)(.*)$/s.exec(value)?.slice(1) ?? [];
  if (prefix === "") return plainPiece(context.home + rest);
  if (prefix === "+") return plainPiece((context.cwds[0] ?? UNKNOWN) + rest);
  if (/^[-+]?\d*$/.test(prefix))
    return { ...plainPiece(UNKNOWN + rest), guesses: guessValues("OLDPWD", rest, context) };
  return plainPiece((prefix === "root" ? "/root" : UNKNOWN) + rest);
}

function guessValues(variable: string, rest: string, { values }: ExpansionContext): readonly string[] {
  return (values.get(variable) ?? []).flatMap(({ guesses = [] }) => guesses.map((guess) => guess + rest));
}

function expandBracePart(
  text: string,
  context: ExpansionContext,
  depth: number,
  isQuoted: boolean,
): readonly ExpansionPiece[] {
  const inside = text.slice(1, -1);
  const texts = expandSequence(inside) ?? splitAtCommas(inside);
  return texts.flatMap((choice) => {
    // A long sequence is matched like a glob.
    if (choice === UNKNOWN) return [{ ...plainPiece("*"), isGlob: true, isSplit: true }];
    const command = parseScript(`: ${choice}`).commands[0]?.command;
    const word = command?.type === "Command" ? command.args[0] : undefined;
    if (choice === "" || word?.type !== "Word" || word.text !== choice) return [plainPiece(choice)];
    if (word.parts === undefined) return [plainPiece(word.value)];
    return expandParts(word.parts, context, depth + 1, isQuoted);
  });
}

const MAX_DISPLAY_CHARS = 120;

function shorten(text: string): string {
  return text.length > MAX_DISPLAY_CHARS ? `${text.slice(0, MAX_DISPLAY_CHARS - 1)}…` : text;
}
