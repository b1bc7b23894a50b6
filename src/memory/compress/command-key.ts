import { type CommandStatus, commandStatuses } from "../../shell/command-statuses.ts";
import { isFilter, isInspection, isTestRun, substantiveCommands, withoutPrefix } from "./classify-command.ts";
import {
  EXPANSION_MARK,
  type LocatedCommand,
  locateCommands,
  type SimpleCommand,
  splitCommand,
} from "./split-command.ts";

/** Identifies two runs of the same command, however their output was shown. */
export interface CommandKeys {
  /** Keys of each command that defines the line, in order. */
  readonly all: readonly string[];
  /** Keys of those that succeeded if the line did: unknown in a pipe, before a `;` or around a `||`. */
  readonly proven: readonly string[];
  /** Key of the command that runs tests. */
  readonly test: string | null;
}

/**
 * A key is the command without how it is run (`sudo`, `time`, `npx`, variables), where its output goes
 * (redirections) and how much it prints (`--silent`). These have no key: `cd`, prints (`echo`), filters (`|
 * tee`, `| grep`, `| tail`), and inspections next to other commands (`ls`).
 */
export function commandKeys(line: string): CommandKeys {
  const commands = locateCommands(line.slice(0, MAX_LINE_CHARS));
  const own = substantiveCommands(commands);
  const ends = commandStatuses(line.slice(0, MAX_LINE_CHARS), "zero", "") ?? [];
  const test = own.find(({ words }) => isTestRun(withoutPrefix(words)));
  const toKeys = (selected: readonly SimpleCommand[]): string[] =>
    selected.map(keyOf).filter((key) => key !== "");
  return {
    all: toKeys(own),
    proven: toKeys(own.filter((command) => isProven(command, ends))),
    test: test === undefined ? null : keyOf(test),
  };
}

function isProven(command: LocatedCommand, ends: readonly CommandStatus[]): boolean {
  const own = ends.filter((end) => isWithin(end, command));
  return own.length > 0 && own.every(({ status }) => status === "zero");
}

export function isWithin(end: CommandStatus, { start, source }: LocatedCommand): boolean {
  return end.start >= start && end.start < start + source.length;
}

/**
 * The line as a person would write it: without a leading `cd`, trailing redirections and trailing filters,
 * unless they are part of an inspection (`ls | wc -l`).
 */
export function plainCommand(line: string): string {
  const commands = splitCommand(line);
  const first = commands.findIndex(({ words }) => withoutPrefix(words)[0] !== "cd");
  const source = commands.findLast((command) => !isFilter(command));
  const isLook = source !== undefined && isInspection(withoutPrefix(source.words));
  const last = commands.findLastIndex(
    (command) =>
      !isFilter(command) || (isLook && !SHORTENING_FILTERS.has(withoutPrefix(command.words)[0] ?? "")),
  );
  if (first < 0 || last < first || last === MAX_COMMANDS - 1) return line.trim();
  const from = line.indexOf(commands[first]!.source);
  const to = line.lastIndexOf(commands[last]!.source) + commands[last]!.source.length;
  return line.slice(from, to).replace(TRAILING_REDIRECTS, "").trim();
}

const SHORTENING_FILTERS = new Set(["head", "tail", "tee", "cat", "less", "more"]);
const MAX_LINE_CHARS = 4_000;
const MAX_COMMANDS = 40;
const TRAILING_REDIRECTS = /(?:\s+(?:\d?>&\d|&?\d?>>?\s*\/dev\/null))+\s*$/;

function keyOf({ words }: SimpleCommand): string {
  const significant = withoutPrefix(words)
    .map((word) => word.replaceAll(EXPANSION_MARK, ""))
    .filter((word, _, all) => !DISPLAY_OPTION.test(word) || (word === "-v" && V_MEANS_VERSION.has(all[0]!)));
  const [name = "", verb = "", ...rest] = significant;
  // `npm t`, `npm test` and `npm run test` are the same.
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    const script = verb === "run" || verb === "run-script" ? rest.shift() : verb === "t" ? "test" : verb;
    return [name, script ?? "", ...rest].join(" ").trim();
  }
  return significant.join(" ");
}

/** Their `-v` is not `--verbose`. */
const V_MEANS_VERSION = new Set(["jest", "vitest"]);

/** Options that change what is shown, not what is done. */
const DISPLAY_OPTION =
  /^(?:-v{1,3}|-q{1,3}|--(?:verbose|quiet|silent|no-?colou?r|colou?r(?:=.*)?|reporter=.*|bail))$/;
