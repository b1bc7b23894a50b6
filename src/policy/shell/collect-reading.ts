import type { ParsedScript } from "unbash";
import { giveUp, spend } from "../work.ts";
import type { VariableValue } from "./expand-word.ts";
import { isOwnVariable } from "./plain-variables.ts";
import type { ShellCommand, ShellReading } from "./shell-reading.ts";
import { variablesRead } from "./variables-read.ts";
import { type Definitions, isSameValue } from "./walk.ts";
import { workOfCommand } from "./walk-costs.ts";
import { recordWrittenScript, withWrittenScript } from "./written-scripts.ts";

/** Everything that a walk finds in a script. */
export interface ReadingCollector {
  readonly definitions: Definitions;
  emit(command: ShellCommand): void;
  assign(name: string, values: readonly VariableValue[]): void;
  addProblem(problem: string): void;
  /** A function that starts itself. */
  addForkBomb(name: string): void;
  addReads(script: ParsedScript): void;
  /** The number of commands emitted. */
  count(): number;
  /** The commands emitted since that count. */
  since(count: number): readonly ShellCommand[];
  reading(): ShellReading;
  /** Whether a second walk, starting with these definitions, may find more. */
  needsSecondWalk(): boolean;
}

/** A script with more commands, arguments and redirections is too long to judge. */
const MAX_WORDS = 1_500;
const MAX_VALUES_PER_VARIABLE = 200;
const MAX_TEXTS_PER_FILE = 16;

export function createReadingCollector(before?: Definitions): ReadingCollector {
  const commands: ShellCommand[] = [];
  const problems = new Set<string>();
  const readVariables = new Set<string>();
  let words = 0;
  let forkBomb: string | null = null;
  let hasAssigned = false;
  const definitions = before ?? emptyDefinitions();
  return {
    definitions,
    emit(found) {
      const command = withWrittenScript(found, definitions.written);
      words += 1 + command.args.length + command.redirects.length;
      if (words > MAX_WORDS) giveUp();
      spend(workOfCommand(command));
      commands.push(command);
      recordWrittenScript(command, definitions.written, MAX_TEXTS_PER_FILE);
    },
    assign(name, values) {
      hasAssigned = true;
      const all = definitions.values.get(name) ?? [];
      for (const value of values) if (!all.some((known) => isSameValue(known, value))) all.push(value);
      if (all.length > MAX_VALUES_PER_VARIABLE) giveUp();
      definitions.values.set(name, all);
    },
    addProblem: (problem) => void problems.add(problem),
    addForkBomb(name) {
      forkBomb = name;
    },
    addReads(script) {
      for (const name of variablesRead(script)) readVariables.add(name);
    },
    count: () => commands.length,
    since: (count) => commands.slice(count),
    reading: () => ({
      commands,
      problems: [...problems],
      forkBomb,
      readVariables: [...readVariables].filter(
        (name) => !(definitions.values.has(name) && isOwnVariable(name)),
      ),
    }),
    needsSecondWalk: () => hasAssigned || definitions.aliases.size > 0 || definitions.functions.size > 0,
  };
}

function emptyDefinitions(): Definitions {
  return { values: new Map(), aliases: new Map(), functions: new Map(), written: new Map() };
}
