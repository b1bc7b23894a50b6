import { giveUp, spend } from "../work.ts";
import { ANY_VARIABLE, UNKNOWN } from "./shell-reading.ts";

/** What a part of a word can become, before it is joined with the others. */
export interface ExpansionPiece {
  readonly text: string;
  readonly isGlob: boolean;
  readonly variables: readonly string[];
  readonly isProcess: boolean;
  readonly isSplit: boolean;
  /** Whether a part of it came from a variable. */
  readonly isFromVariable: boolean;
  readonly splitsNames: boolean;
  /** Whether a digit in it stands for a number that only the shell will know. */
  readonly holdsNumber: boolean;
  /** Possible values, computed besides an unknown text. */
  readonly guesses: readonly string[];
}

/** Separates the fields that an unquoted expansion splits into. */
export const FIELD_SEPARATOR = "\u0001";
/** Longer than any path. Variables that contain each other twice double in length each time. */
const MAX_VALUE_LENGTH = 4_096;
const MAX_VARIABLES = 16;
const MAX_GUESSES = 64;

export function plainPiece(text: string): ExpansionPiece {
  return {
    text,
    isGlob: false,
    variables: [],
    isProcess: false,
    isSplit: false,
    isFromVariable: false,
    splitsNames: false,
    holdsNumber: false,
    guesses: [],
  };
}

/** An unknown number. */
export const NUMBER_PIECE: ExpansionPiece = { ...plainPiece("0"), holdsNumber: true };

export function joinPieces(before: ExpansionPiece, after: ExpansionPiece): ExpansionPiece {
  return {
    text: before.text + after.text,
    isGlob: before.isGlob || after.isGlob,
    variables:
      after.variables.length === 0
        ? before.variables
        : limitVariables([...before.variables, ...after.variables]),
    isProcess: before.isProcess || after.isProcess,
    isSplit: before.isSplit || after.isSplit,
    isFromVariable: before.isFromVariable || after.isFromVariable,
    splitsNames: before.splitsNames || after.splitsNames,
    holdsNumber: before.holdsNumber || after.holdsNumber,
    guesses: guessesOf(before, after),
  };
}

/** Every combination of the guesses of two pieces. */
function guessesOf(before: ExpansionPiece, after: ExpansionPiece): readonly string[] {
  if (before.guesses.length === 0 && after.guesses.length === 0) return before.guesses;
  const starts = before.guesses.length > 0 ? before.guesses : [before.text];
  const ends = after.guesses.length > 0 ? after.guesses : [after.text];
  const all = starts.flatMap((start) => ends.map((end) => start + end));
  spend(all.reduce((sum, text) => sum + 20 + text.length, 0));
  if (all.length > MAX_GUESSES || all.some((text) => text.length > MAX_VALUE_LENGTH)) giveUp();
  return all;
}

export function splitGuesses(guesses: readonly string[], isQuoted: boolean): readonly string[] {
  const texts = guesses.map((text) => text.replaceAll(FIELD_SEPARATOR, " "));
  return isQuoted ? texts : texts.flatMap((text) => text.split(/\s+/).filter((field) => field !== ""));
}

export function isPieceTooLong({ text, isFromVariable }: ExpansionPiece): boolean {
  return isFromVariable && text.length > MAX_VALUE_LENGTH;
}

/** Unknown, unquoted text may become any number of words. */
export function markSplit(piece: ExpansionPiece, isQuoted: boolean): ExpansionPiece {
  return !isQuoted && piece.text.includes(UNKNOWN) ? { ...piece, isSplit: true } : piece;
}

/** More than `MAX_VARIABLES` count as any variable. */
export function limitVariables(names: readonly string[]): readonly string[] {
  const all = [...new Set(names)];
  return all.length > MAX_VARIABLES ? [...all.slice(0, MAX_VARIABLES), ANY_VARIABLE] : all;
}
