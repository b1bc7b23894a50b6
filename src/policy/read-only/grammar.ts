import type { Locations } from "../locations.ts";
import type { ShellCommand, ShellWord } from "../shell/shell-reading.ts";
import type { TreeReadOptions } from "./readable-files.ts";

/**
 * The grammar of commands that only read. A program is listed with every option known to be harmless, and with what its
 * values and operands may be. An unlisted option, abbreviations included, makes the command one that is asked about.
 */
export interface ProgramSpec {
  /** Letters of options without a value. */
  readonly short?: string;
  /** Names of long options without a value, without their dashes. */
  readonly long?: string;
  /** Options with a value: the names of one option, separated by spaces, and what its value may be. */
  readonly values?: Readonly<Record<string, WordKind>>;
  /** Long options that take a value only after `=`, or none. */
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** Options with a value that may also occur without one. */
  readonly bare?: string;
  /** `-20`, for a number of lines. */
  readonly number?: boolean;
  readonly operands?: OperandSpec | ((call: ParsedCommand) => OperandSpec);
  /** For operands that are trees: which of their files are read; `names` where only names are shown. */
  readonly tree?: (call: ParsedCommand) => TreeReadOptions | "names";
  /** Further conditions. */
  readonly check?: (call: ParsedCommand) => boolean;
}

/**
 * What a word may be. A pattern: the whole word matches it. `text`: one word with any content. `name`: a path inside
 * the workspace, of which the program shows only existence, size and the like. `entry`: the same, about a link itself.
 * `read`: a path inside the workspace whose content may be shown. `tree`: the same for everything in a folder.
 */
export type WordKind = RegExp | "text" | "name" | "entry" | "read" | "tree";

export interface OperandSpec {
  readonly kind: WordKind;
  /** The first one, where it differs: a pattern before files. */
  readonly first?: WordKind;
  readonly min?: number;
  readonly max?: number;
}

/** A command whose words were parsed by a `ProgramSpec`. */
export interface ParsedCommand {
  readonly command: ShellCommand;
  readonly locations: Locations;
  /** Options without a value, by the name that was used. */
  readonly flags: ReadonlySet<string>;
  /** Options with a value. */
  readonly values: readonly (readonly [string, ShellWord])[];
  readonly operands: readonly ShellWord[];
}

/** A program that parses its words in its own way. */
export type ReadOnlyCheck = (command: ShellCommand, locations: Locations) => boolean;

/** Either kind of program grammar. */
export type ProgramGrammar = ProgramSpec | ReadOnlyCheck;

export type ProgramGrammars = Readonly<Record<string, ProgramGrammar>>;

export const COUNT = /^\d{1,9}$/;
export const SIGNED = /^[-+]?\d{1,9}$/;
/** With a unit: `10K`, `+5M`. */
export const SIZE = /^[-+]?\d{1,12}(?:[kKMGTPEZY]i?B?|[bcw])?$/;
export const WHEN = /^(?:always|never|auto|yes|no|force|tty|none|if-tty)$/;
export const WORD = /^[A-Za-z][\w-]{0,39}$/;
export const WORD_LIST = /^[A-Za-z%][\w%,.-]{0,199}$/;
/** Lists of fields or lines: `1,3-5,-7`. */
export const NUMBER_LIST = /^[\d,-]{1,99}$/;

/** The values of an option, by any of its names. */
export function valuesOfOption(call: ParsedCommand, ...names: readonly string[]): readonly string[] {
  return call.values.flatMap(([name, word]) => (names.includes(name) ? [word.text] : []));
}

export function hasOption(call: ParsedCommand, ...names: readonly string[]): boolean {
  return names.some((name) => call.flags.has(name) || call.values.some(([each]) => each === name));
}
