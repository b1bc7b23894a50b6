/** What a shell script would run, as far as its text says. Over-approximated: what may run counts as running. */

/** Stands in a text for what only the shell will know. No argument of a command can hold it. */
export const UNKNOWN = "\u0000";

/** Stands among a word's variables for one whose name only the shell will know. */
export const ANY_VARIABLE = "!";

export interface ShellWord {
  /** After quotes and known variables; `UNKNOWN` where a part is not known. */
  readonly text: string;
  /** As it is shown to a person: the text, or what was written where that is not known. */
  readonly shown: string;
  /** Whether unquoted `*`, `?` or `[` stand in it. */
  readonly isGlob: boolean;
  /** The variables it refers to. */
  readonly variables: readonly string[];
  /** `<(…)`: a file that another command fills. */
  readonly isProcess: boolean;
  /** An expansion that is not quoted and not known: it may be any number of words. */
  readonly isSplit?: boolean;
  /** Out of a variable that is not quoted: one of several words, or a glob that may become several at a blank. */
  readonly splitsNames?: boolean;
  /** A glob that finds hidden names, too: the script says so, by an option of the shell or in the glob. */
  readonly findsHidden?: boolean;
  /** A digit in it stands for a number that only the shell will know: `a$((x))`, `${#x}`, `$$`. */
  readonly holdsNumber?: boolean;
  /** A file that `find` or the like found. */
  readonly found?: FoundFiles;
  /** Texts that an unknown one may be. They can only make a verdict stricter. */
  readonly guesses?: readonly string[];
}

/** The files that stand for one word of a command that `find` starts. */
export interface FoundFiles {
  readonly folder: string;
  /** Globs that the name of each of them fits, in small letters; null where it may be any. */
  readonly names: readonly string[] | null;
  /** Whether a name may stand without its folder, so that one with a dash is an option. */
  readonly isBare?: boolean;
  /** What is looked for, by each of several ways: globs that all fit. An empty list stands for anything. */
  readonly sought?: readonly (readonly SoughtGlob[])[];
}

/** A glob of names, or of whole paths, in which a star crosses slashes. In small letters. */
export interface SoughtGlob {
  readonly of: "name" | "path";
  readonly glob: string;
}

/** Words with which another command was started: `timeout -k 5 10` before `ls`. */
export interface Starter {
  readonly name: string;
  /** With its folder, as given. */
  readonly path: string;
  readonly words: readonly ShellWord[];
}

/** The name of a command that stands for text evaluated by the shell itself, such as `$((x))` with any `x`. */
export const EVALUATION = "((";

export interface ShellRedirect {
  readonly operator: string;
  /** Null for a here-document. */
  readonly target: ShellWord | null;
  /** What a here-document or here-string feeds. */
  readonly text: string | null;
  /** The variables that are fed. */
  readonly variables: readonly string[];
}

/** One simple command, after what only starts another one (`sudo`, `env`, `sh -c` …) was taken away. */
export interface ShellCommand {
  /** Without its folder; empty for redirections or assignments alone; `UNKNOWN` when the shell decides it. */
  readonly name: string;
  /** With its folder, as given. */
  readonly path: string;
  readonly args: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
  readonly assigns: readonly string[];
  /** Itself as text, before and after each of `wrappers` was taken away: the outermost first. */
  readonly layers: readonly string[];
  readonly wrappers: readonly string[];
  /** Of the wrappers that are programs: their own words, in the same order. */
  readonly starters: readonly Starter[];
  /** Where it may run: the folders that `cd` before it leads to. `UNKNOWN` in one that is not known. */
  readonly cwds: readonly string[];
  readonly pipedFrom: readonly ShellCommand[];
  /** What runs inside its words: `$(…)`, `<(…)`. */
  readonly substituted: readonly ShellCommand[];
  /** It runs code that the text does not show: given as an argument, or fed. */
  readonly unread: "argument" | "stdin" | null;
  /** A function that the script itself defines; its body stands in the list. */
  readonly isOwnFunction: boolean;
  /** Nothing else of the script runs when it fails: `cd x && ls`. */
  readonly isGuarding: boolean;
  /** Started by a `find` that chooses among what it finds. */
  readonly isNarrowed: boolean;
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[];
  /** Why the text is not understood, in words; empty when it is. */
  readonly problems: readonly string[];
  /** The name of a function that starts itself over and over. */
  readonly forkBomb: string | null;
  /** Variables whose values it looks at. */
  readonly reads: readonly string[];
  /** Values of variables that have more of them than are followed. */
  readonly leftOut: readonly string[];
}

export function isKnown(word: ShellWord): boolean {
  return !word.text.includes(UNKNOWN);
}

export function literalWord(text: string): ShellWord {
  return {
    text,
    shown: text.replaceAll(UNKNOWN, "…"),
    isGlob: false,
    variables: [],
    isProcess: false,
  };
}
