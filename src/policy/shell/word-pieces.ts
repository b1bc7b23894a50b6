import { spend } from "../work.ts";
import { ANY_VARIABLE, UNKNOWN } from "./shell-reading.ts";

/** What a part of a word can become, before it is put together with the others. */
export interface Piece {
  readonly text: string;
  readonly isGlob: boolean;
  readonly variables: readonly string[];
  readonly isProcess: boolean;
  readonly isSplit: boolean;
  /** Whether a part of it came from a variable. */
  readonly isHeld: boolean;
  readonly splitsNames: boolean;
  /** Whether a digit in it stands for a number that only the shell will know. */
  readonly holdsNumber: boolean;
  /** What it may be, worked out beside an unknown text. */
  readonly guesses: readonly string[];
}

/** Between fields that an unquoted expansion splits into. */
export const FIELD = "\u0001";
/** Longer than any path. Variables that hold each other twice double with each of them. */
const LONGEST_HELD = 4_096;
const MOST_VARIABLES = 16;
const MAX_GUESSES = 16;

export function plain(text: string): Piece {
  return {
    text,
    isGlob: false,
    variables: [],
    isProcess: false,
    isSplit: false,
    isHeld: false,
    splitsNames: false,
    holdsNumber: false,
    guesses: [],
  };
}

/** Some number. */
export const NUMBER: Piece = { ...plain("0"), holdsNumber: true };

export function join(before: Piece, after: Piece): Piece {
  return {
    text: before.text + after.text,
    isGlob: before.isGlob || after.isGlob,
    variables:
      after.variables.length === 0
        ? before.variables
        : fewVariables([...before.variables, ...after.variables]),
    isProcess: before.isProcess || after.isProcess,
    isSplit: before.isSplit || after.isSplit,
    isHeld: before.isHeld || after.isHeld,
    splitsNames: before.splitsNames || after.splitsNames,
    holdsNumber: before.holdsNumber || after.holdsNumber,
    guesses: guessesOf(before, after),
  };
}

/** Each way to put the guesses of two pieces together. */
function guessesOf(before: Piece, after: Piece): readonly string[] {
  if (before.guesses.length === 0 && after.guesses.length === 0) return before.guesses;
  const starts = before.guesses.length > 0 ? before.guesses : [before.text];
  const ends = after.guesses.length > 0 ? after.guesses : [after.text];
  const all = starts.flatMap((start) => ends.map((end) => start + end));
  spend(all.reduce((sum, text) => sum + 20 + text.length, 0));
  return all.filter((text) => text.length <= LONGEST_HELD).slice(0, MAX_GUESSES);
}

export function fieldsOf(guesses: readonly string[], isQuoted: boolean): readonly string[] {
  const texts = guesses.map((text) => text.replaceAll(FIELD, " "));
  return isQuoted ? texts : texts.flatMap((text) => text.split(/\s+/).filter((field) => field !== ""));
}

export function isTooLong({ text, isHeld }: Piece): boolean {
  return isHeld && text.length > LONGEST_HELD;
}

/** Text that is not known and not quoted may become any number of words. */
export function split(piece: Piece, isQuoted: boolean): Piece {
  return !isQuoted && piece.text.includes(UNKNOWN) ? { ...piece, isSplit: true } : piece;
}

/** Past a few it may be any. */
export function fewVariables(names: readonly string[]): readonly string[] {
  const all = [...new Set(names)];
  return all.length > MOST_VARIABLES ? [...all.slice(0, MOST_VARIABLES), ANY_VARIABLE] : all;
}
