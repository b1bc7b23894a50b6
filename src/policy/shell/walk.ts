import { spend } from "../work.ts";
import type { VariableValue } from "./expand-word.ts";
import {
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  type Starter,
  UNKNOWN,
} from "./shell-reading.ts";

/** What changes from command to command. A part that may not run, or runs apart, gets a copy. */
export interface Flow {
  cwds: readonly string[];
  assigned: Set<string>;
}

/** `shared` is changed by what a command does to its shell; `own` has its own assignments, for what it starts. */
export interface Flows {
  readonly shared: Flow;
  readonly own: Flow;
}

/** What stays the same for all commands inside one construct. */
export interface Inside {
  readonly pipedFrom: readonly ShellCommand[];
  /** What is fed to it, where the text says so. */
  readonly stdin: string | undefined;
  readonly layers: readonly string[];
  readonly wrappers: readonly string[];
  readonly starters: readonly Starter[];
  /** Variables that what started it has set for it. */
  readonly assigns: readonly string[];
  readonly isNarrowed: boolean;
  readonly isGuarding: boolean;
  readonly depth: number;
}

/** What a script defines, whatever the order. */
export interface Known {
  readonly values: Map<string, VariableValue[]>;
  readonly aliases: Map<string, string>;
  /** Functions, and whether one changes the folder. */
  readonly functions: Map<string, boolean>;
  /** Files that it writes, with the texts. */
  readonly written: Map<string, readonly string[]>;
}

export interface Walk extends Known {
  readonly home: string;
  readonly findsHidden: boolean;
  emit(command: ShellCommand): void;
  assign(name: string, values: readonly VariableValue[]): void;
  /** Reads code given as text. */
  walkText(text: string, inside: Inside, flow: Flow): void;
}

export function around(walk: Walk, flow: Flow) {
  const { home, values, findsHidden } = walk;
  return { home, cwds: flow.cwds, values, assigned: flow.assigned, findsHidden };
}

export function copy(flow: Flow): Flow {
  spend(20 + 4 * flow.assigned.size);
  return { cwds: flow.cwds, assigned: new Set(flow.assigned) };
}

/** A command without words. */
export function bare(
  name: string,
  redirects: readonly ShellRedirect[],
  inside: Inside,
  flow: Flow,
): ShellCommand {
  return {
    name,
    path: name,
    args: [],
    redirects,
    assigns: inside.assigns,
    layers: inside.layers,
    wrappers: inside.wrappers,
    starters: inside.starters,
    cwds: flow.cwds,
    pipedFrom: inside.pipedFrom,
    substituted: [],
    unread: null,
    isOwnFunction: false,
    isNarrowed: inside.isNarrowed,
    isGuarding: inside.isGuarding,
  };
}

const MOST_FOLDERS = 8;

/** Past a few, a folder is not known. */
export function fewFolders(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  return all.length > MOST_FOLDERS ? [...all.slice(0, MOST_FOLDERS), UNKNOWN] : all;
}

export function toValue({ text, isGlob, variables, guesses, holdsNumber }: ShellWord): VariableValue {
  return {
    text,
    isGlob,
    variables,
    ...(guesses === undefined ? {} : { guesses }),
    ...(holdsNumber ? { holdsNumber } : {}),
  };
}

export function isSame(one: VariableValue, other: VariableValue): boolean {
  return (
    one.text === other.text &&
    (one.holdsNumber ?? false) === (other.holdsNumber ?? false) &&
    `${one.variables ?? ""}` === `${other.variables ?? ""}` &&
    `${one.guesses ?? ""}` === `${other.guesses ?? ""}`
  );
}

/** Where a script begins. */
export const OUTSIDE: Inside = {
  pipedFrom: [],
  stdin: undefined,
  layers: [],
  wrappers: [],
  starters: [],
  assigns: [],
  isNarrowed: false,
  isGuarding: false,
  depth: 0,
};

/** What a script or a function is given: `$1`, `$2` and `$@`. */
export function assignPositions(walk: Walk, args: readonly ShellWord[]): void {
  for (const [at, word] of args.entries())
    for (const name of [String(at + 1), "@", "*"])
      walk.assign(name, [{ text: word.text, isGlob: word.isGlob }]);
}
