/** What a shell script would run, as far as its text shows. Over-approximated: what may run counts. */

/** A placeholder for text that only the shell will know. No argument of a command can contain it. */
export const UNKNOWN = "\u0000";

/** A placeholder among a word's variables for one whose name only the shell will know. */
export const ANY_VARIABLE = "!";

export interface ShellWord {
  /** After quotes and known variables; `UNKNOWN` where a part is unknown. */
  readonly text: string;
  /** For display: the text, or the source where the text is unknown. */
  readonly display: string;
  /** Whether it contains an unquoted `*`, `?` or `[`. */
  readonly isGlob: boolean;
  /** The variables it refers to. */
  readonly variables: readonly string[];
  /** `<(…)`: a file that another command fills. */
  readonly isProcess: boolean;
  /** An unquoted, unknown expansion: it may be any number of words. */
  readonly isSplit?: boolean;
  /** From an unquoted variable: one of several words, or a glob that may become several at a space. */
  readonly splitsNames?: boolean;
  /** A glob that matches hidden names too: by a shell option in the script, or by the glob itself. */
  readonly findsHidden?: boolean;
  /** A digit in it stands for a number that only the shell will know: `a$((x))`, `${#x}`, `$$`. */
  readonly holdsNumber?: boolean;
  /** A file found by `find` or a similar program. */
  readonly found?: FoundFiles;
  /** Possible values of an unknown text. They can only make a verdict stricter. */
  readonly guesses?: readonly string[];
}

/** The files that one word of a command started by `find` represents. */
export interface FoundFiles {
  readonly folder: string;
  /** Globs that the name of each of them matches, in lower case; null where it may be any. */
  readonly names: readonly string[] | null;
  /** Whether a name may occur without its folder, so that one with a dash is an option. */
  readonly isBare?: boolean;
  /** Alternative searches, each a list of globs that all match. An empty list stands for anything. */
  readonly searches?: readonly (readonly SearchGlob[])[];
}

/** A glob of names, or of complete paths, in which a star crosses slashes. In lower case. */
export interface SearchGlob {
  readonly of: "name" | "path";
  readonly glob: string;
}

/** Words that started another command: `timeout -k 5 10` before `ls`. */
export interface Starter {
  readonly name: string;
  /** With its folder, as written. */
  readonly path: string;
  readonly words: readonly ShellWord[];
}

/** The name of a command that represents text the shell itself evaluates, such as `$((x))` with any `x`. */
export const EVALUATION = "((";

export interface ShellRedirect {
  readonly operator: string;
  /** Null for a here-document. */
  readonly target: ShellWord | null;
  /** The text of a here-document or here-string. */
  readonly text: string | null;
  /** The variables in that text. */
  readonly variables: readonly string[];
}

/** One simple command, without the wrappers that started it (`sudo`, `env`, `sh -c` …). */
export interface ShellCommand {
  /** Without its folder; empty for redirections or assignments alone; `UNKNOWN` when the shell decides it. */
  readonly name: string;
  /** With its folder, as written. */
  readonly path: string;
  readonly args: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly assignedVariables: readonly string[];
  /** Itself as text, before and after each of `wrappers` was removed: outermost first. */
  readonly layers: readonly string[];
  readonly wrappers: readonly string[];
  /** For the wrappers that are programs: their own words, in the same order. */
  readonly starters: readonly Starter[];
  /** Where it may run: the folders that earlier `cd`s lead to. `UNKNOWN` in one that is unknown. */
  readonly cwds: readonly string[];
  readonly pipedFrom: readonly ShellCommand[];
  /** What runs inside its words: `$(…)`, `<(…)`. */
  readonly substituted: readonly ShellCommand[];
  /** It runs code that the text does not show: from an argument, or from stdin. */
  readonly hiddenCode: "argument" | "stdin" | null;
  /** A function that the script itself defines; its body is in the list. */
  readonly isOwnFunction: boolean;
  /** Nothing else of the script runs when it fails: `cd x && ls`. */
  readonly stopsOnFailure: boolean;
  /** Started by a `find` that filters what it finds. */
  readonly isNarrowed: boolean;
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** Why the text is not understood, in words; empty when it is. */
  readonly problems: readonly string[];
  /** The name of a function that starts itself over and over. */
  readonly forkBomb: string | null;
  /** Variables whose values it reads. */
  readonly readVariables: readonly string[];
}

export function isKnown(word: ShellWord): boolean {
  return !word.text.includes(UNKNOWN);
}

export function literalWord(text: string): ShellWord {
  return {
    text,
    display: text.replaceAll(UNKNOWN, "…"),
    isGlob: false,
    variables: [],
    isProcess: false,
  };
}
