import { giveUp, spend } from "../work.ts";
import type { VariableValue } from "./expand-word.ts";
import type { ShellCommand, ShellRedirect, ShellWord, Starter } from "./shell-reading.ts";

/** State that changes from command to command. A part that may not run, or runs separately, gets a copy. */
export interface Flow {
  cwds: readonly string[];
  assigned: Set<string>;
}

/** `shared` is changed by a command's effect on its shell; `own` adds its assignments, for what it starts. */
export interface Flows {
  readonly shared: Flow;
  readonly own: Flow;
}

/** What stays the same for all commands inside one construct. */
export interface ConstructContext {
  readonly pipedFrom: readonly ShellCommand[];
  /** Its stdin, where the text shows it. */
  readonly stdin: string | undefined;
  readonly layers: readonly string[];
  readonly wrappers: readonly string[];
  readonly starters: readonly Starter[];
  /** Variables set for it by what started it. */
  readonly assignedVariables: readonly string[];
  readonly isNarrowed: boolean;
  readonly stopsOnFailure: boolean;
  readonly depth: number;
}

/** What a script defines, in any order. */
export interface Definitions {
  readonly values: Map<string, VariableValue[]>;
  readonly aliases: Map<string, string>;
  /** Functions, and whether one changes the folder. */
  readonly functions: Map<string, boolean>;
  /** Files that it writes, with their texts. */
  readonly written: Map<string, readonly string[]>;
}

export interface Walk extends Definitions {
  readonly home: string;
  readonly findsHidden: boolean;
  emit(command: ShellCommand): void;
  assign(name: string, values: readonly VariableValue[]): void;
  /** Walks code that is passed as text. */
  walkText(text: string, inside: ConstructContext, flow: Flow): void;
}

export function toExpansionContext(walk: Walk, flow: Flow) {
  const { home, values, findsHidden } = walk;
  return { home, cwds: flow.cwds, values, assigned: flow.assigned, findsHidden };
}

export function copyFlow(flow: Flow): Flow {
  spend(20 + 4 * flow.assigned.size);
  return { cwds: flow.cwds, assigned: new Set(flow.assigned) };
}

export function emptyCommand(
  name: string,
  redirects: readonly ShellRedirect[],
  inside: ConstructContext,
  flow: Flow,
): ShellCommand {
  return {
    name,
    path: name,
    args: [],
    redirects,
    assignedVariables: inside.assignedVariables,
    layers: inside.layers,
    wrappers: inside.wrappers,
    starters: inside.starters,
    cwds: flow.cwds,
    pipedFrom: inside.pipedFrom,
    substituted: [],
    hiddenCode: null,
    isOwnFunction: false,
    isNarrowed: inside.isNarrowed,
    stopsOnFailure: inside.stopsOnFailure,
  };
}

const MAX_FOLDERS = 32;

export function limitFolders(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  if (all.length > MAX_FOLDERS) giveUp();
  return all;
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

export function isSameValue(first: VariableValue, second: VariableValue): boolean {
  return (
    first.text === second.text &&
    (first.holdsNumber ?? false) === (second.holdsNumber ?? false) &&
    `${first.variables ?? ""}` === `${second.variables ?? ""}` &&
    `${first.guesses ?? ""}` === `${second.guesses ?? ""}`
  );
}

/** Where a script starts. */
export const TOP_LEVEL: ConstructContext = {
  pipedFrom: [],
  stdin: undefined,
  layers: [],
  wrappers: [],
  starters: [],
  assignedVariables: [],
  isNarrowed: false,
  stopsOnFailure: false,
  depth: 0,
};

/** Assigns the arguments of a script or a function: `$1`, `$2` and `$@`. */
export function assignPositionalParameters(walk: Walk, args: readonly ShellWord[]): void {
  for (const [at, word] of args.entries())
    for (const name of [String(at + 1), "@", "*"])
      walk.assign(name, [{ text: word.text, isGlob: word.isGlob }]);
}
