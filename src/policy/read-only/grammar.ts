import type { Places } from "../places.ts";
import type { ShellCommand, ShellWord } from "../shell/shell-reading.ts";
import type { TreeReading } from "./readable-files.ts";

/**
 * The grammar of commands that only read. A program is in it with every option that is known to be harmless, and
 * with what its values and operands may be. An option that is not in it, an abbreviation included, makes the command
 * one that is asked about.
 */
export interface Spec {
  /** Letters of options without a value. */
  readonly short?: string;
  /** Names of long options without a value, without their dashes. */
  readonly long?: string;
  /** Options with a value: the names of one option, separated by blanks, and what its value may be. */
  readonly values?: Readonly<Record<string, Kind>>;
  /** Long options that take a value only after `=`, or none. */
  readonly optional?: Readonly<Record<string, RegExp>>;
  /** Of the options with a value, those that may also stand without one. */
  readonly bare?: string;
  /** `-20`, for a number of lines. */
  readonly number?: boolean;
  readonly operands?: Operands | ((call: Call) => Operands);
  /** For operands that are trees: which files of them are read; `names` where only their names are told. */
  readonly tree?: (call: Call) => TreeReading | "names";
  /** What must hold beside all that. */
  readonly check?: (call: Call) => boolean;
}

/**
 * What a word may be. A pattern: the whole word fits it. `text`: one word, whatever it says. `name`: a path inside
 * the workspace, of which the program tells only that it is there, how large it is and the like. `entry`: the same
 * where a link is told about itself. `read`: a path inside the workspace whose content may be shown. `tree`: the same
 * for all that lies in a folder.
 */
export type Kind = RegExp | "text" | "name" | "entry" | "read" | "tree";

export interface Operands {
  readonly kind: Kind;
  /** The first one, where it differs: a pattern before files. */
  readonly first?: Kind;
  readonly min?: number;
  readonly max?: number;
}

/** A command whose words were read by a `Spec`. */
export interface Call {
  readonly command: ShellCommand;
  readonly places: Places;
  /** Options without a value, by the name they were given. */
  readonly flags: ReadonlySet<string>;
  /** Options with one. */
  readonly values: readonly (readonly [string, ShellWord])[];
  readonly operands: readonly ShellWord[];
}

/** A program that reads its words in its own way. */
export type Judge = (command: ShellCommand, places: Places) => boolean;

/** Either way of knowing a program. */
export type Program = Spec | Judge;

/** A few programs, by name. */
export type Programs = Readonly<Record<string, Program>>;

export const COUNT = /^\d{1,9}$/;
export const SIGNED = /^[-+]?\d{1,9}$/;
/** With a unit: `10K`, `+5M`. */
export const SIZE = /^[-+]?\d{1,12}(?:[kKMGTPEZY]i?B?|[bcw])?$/;
export const WHEN = /^(?:always|never|auto|yes|no|force|tty|none|if-tty)$/;
export const WORD = /^[A-Za-z][\w-]{0,39}$/;
export const WORDS = /^[A-Za-z%][\w%,.-]{0,199}$/;
/** Lists of fields or lines: `1,3-5,-7`. */
export const LIST = /^[\d,-]{1,99}$/;

/** The values of an option, by any of its names. */
export function valuesOf(call: Call, ...names: readonly string[]): readonly string[] {
  return call.values.flatMap(([name, word]) => (names.includes(name) ? [word.text] : []));
}

export function has(call: Call, ...names: readonly string[]): boolean {
  return names.some((name) => call.flags.has(name) || call.values.some(([each]) => each === name));
}
