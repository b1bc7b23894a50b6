import type { ParsedScript } from "unbash";
import { giveUp, spend } from "../work.ts";
import type { VariableValue } from "./expand-word.ts";
import { isOwnVariable } from "./plain-variables.ts";
import type { ShellCommand, ShellReading } from "./shell-reading.ts";
import { variablesRead } from "./variables-read.ts";
import { isSame, type Known } from "./walk.ts";
import { anyValue, workOn } from "./walk-costs.ts";
import { noteWritten, withWritten } from "./written-scripts.ts";

/** All that a walk finds in a script. */
export interface Findings {
  readonly known: Known;
  emit(command: ShellCommand): void;
  assign(name: string, values: readonly VariableValue[]): void;
  addProblem(problem: string): void;
  /** A function that starts itself. */
  addForkBomb(name: string): void;
  addReads(script: ParsedScript): void;
  /** How many commands were emitted. */
  count(): number;
  /** The commands emitted since there were so many. */
  since(count: number): readonly ShellCommand[];
  reading(): ShellReading;
  /** Whether another walk that begins with what is known may find more. */
  isWorthAgain(): boolean;
}

/** What has more commands, arguments and redirections is too long to judge. */
const MAX_WORDS = 1_500;
const MAX_VALUES = 16;

export function createFindings(before?: Known): Findings {
  const commands: ShellCommand[] = [];
  const problems = new Set<string>();
  const leftOut = new Set<string>();
  const reads = new Set<string>();
  let words = 0;
  let forkBomb: string | null = null;
  let hasAssigned = false;
  const known = before ?? nothingKnown();
  return {
    known,
    emit(given) {
      const command = withWritten(given, known.written);
      words += 1 + command.args.length + command.redirects.length;
      if (words > MAX_WORDS) giveUp();
      spend(workOn(command));
      commands.push(command);
      noteWritten(command, known.written, MAX_VALUES);
    },
    assign(name, values) {
      hasAssigned = true;
      const all = known.values.get(name) ?? [];
      for (const text of addValues(all, values)) leftOut.add(text);
      known.values.set(name, all);
    },
    addProblem: (problem) => void problems.add(problem),
    addForkBomb(name) {
      forkBomb = name;
    },
    addReads(script) {
      for (const name of variablesRead(script)) reads.add(name);
    },
    count: () => commands.length,
    since: (count) => commands.slice(count),
    reading: () => ({
      commands,
      problems: [...problems],
      forkBomb,
      reads: [...reads].filter((name) => !(known.values.has(name) && isOwnVariable(name))),
      leftOut: [...leftOut],
    }),
    isWorthAgain: () => hasAssigned || known.aliases.size > 0 || known.functions.size > 0,
  };
}

function nothingKnown(): Known {
  return { values: new Map(), aliases: new Map(), functions: new Map(), written: new Map() };
}

/** Adds those that are new; past a few, one value stands for all others. Returns the texts of these. */
function addValues(all: VariableValue[], values: readonly VariableValue[]): readonly string[] {
  const leftOut: string[] = [];
  for (const value of values) {
    if (all.some((each) => isSame(each, value))) continue;
    if (all.length < MAX_VALUES) all.push(value);
    else {
      leftOut.push(value.text);
      all[MAX_VALUES] = anyValue(all[MAX_VALUES], value);
    }
  }
  return leftOut;
}
