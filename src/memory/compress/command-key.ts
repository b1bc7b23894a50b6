import { type CommandEnd, commandEnds } from "../../shell/command-ends.ts";
import { isFilter, isLooking, isTestRun, withMeaning, withoutPrefix } from "./command-sense.ts";
import {
  type PlacedCommand,
  placedCommands,
  type SimpleCommand,
  splitCommand,
  UNSURE,
} from "./split-command.ts";

/** By which two runs of a command are known to be of the same thing, however their output was shown. */
export interface CommandKeys {
  /** Of each command that gives the line its meaning, in order. */
  readonly all: readonly string[];
  /** Of those that succeeded when the line did: what stands in a pipe, before a `;` or around a `||` is not known to have. */
  readonly proven: readonly string[];
  /** Of the one that runs tests. */
  readonly test: string | null;
}

/**
 * A key is the command without how it is run (`sudo`, `time`, `npx`, variables), where its output goes
 * (redirections) and how much it says (`--silent`). No key have the way there (`cd`), what is only said (`echo`),
 * what only shows output (`| tee`, `| grep`, `| tail`), and beside other commands what only looks (`ls`).
 */
export function commandKeys(line: string): CommandKeys {
  const commands = placedCommands(line.slice(0, MAX_LINE));
  const own = withMeaning(commands);
  const ends = commandEnds(line.slice(0, MAX_LINE), "zero", "") ?? [];
  const test = own.find(({ words }) => isTestRun(withoutPrefix(words)));
  const toKeys = (some: readonly SimpleCommand[]): string[] => some.map(keyOf).filter((key) => key !== "");
  return {
    all: toKeys(own),
    proven: toKeys(own.filter((command) => isProven(command, ends))),
    test: test === undefined ? null : keyOf(test),
  };
}

function isProven(command: PlacedCommand, ends: readonly CommandEnd[]): boolean {
  const own = ends.filter((end) => isWithin(end, command));
  return own.length > 0 && own.every(({ status }) => status === "zero");
}

export function isWithin(end: CommandEnd, { start, source }: PlacedCommand): boolean {
  return end.start >= start && end.start < start + source.length;
}

/**
 * The line as a person would tell it: without the way there, redirections at its end, and filters behind it, unless
 * they are part of a look (`ls | wc -l`).
 */
export function plainCommand(line: string): string {
  const commands = splitCommand(line);
  const first = commands.findIndex(({ words }) => withoutPrefix(words)[0] !== "cd");
  const source = commands.findLast((command) => !isFilter(command));
  const isLook = source !== undefined && isLooking(withoutPrefix(source.words));
  const last = commands.findLastIndex(
    (command) => !isFilter(command) || (isLook && !SHORTENS.has(withoutPrefix(command.words)[0] ?? "")),
  );
  if (first < 0 || last < first || last === MAX_COMMANDS - 1) return line.trim();
  const from = line.indexOf(commands[first]!.source);
  const to = line.lastIndexOf(commands[last]!.source) + commands[last]!.source.length;
  return line.slice(from, to).replace(SILENCED, "").trim();
}

const SHORTENS = new Set(["head", "tail", "tee", "cat", "less", "more"]);
const MAX_LINE = 4_000;
const MAX_COMMANDS = 40;
const SILENCED = /(?:\s+(?:\d?>&\d|&?\d?>>?\s*\/dev\/null))+\s*$/;

function keyOf({ words }: SimpleCommand): string {
  const told = withoutPrefix(words)
    .map((word) => word.replaceAll(UNSURE, ""))
    .filter((word, _, all) => !SAYS_LESS.test(word) || (word === "-v" && VERSION_BY_V.has(all[0]!)));
  const [name = "", verb = "", ...rest] = told;
  // `npm t`, `npm test` and `npm run test` are one.
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    const script = verb === "run" || verb === "run-script" ? rest.shift() : verb === "t" ? "test" : verb;
    return [name, script ?? "", ...rest].join(" ").trim();
  }
  return told.join(" ");
}

/** Their `-v` is no `--verbose`. */
const VERSION_BY_V = new Set(["jest", "vitest"]);

/** Options that change what is shown, not what is done. */
const SAYS_LESS =
  /^(?:-v{1,3}|-q{1,3}|--(?:verbose|quiet|silent|no-?colou?r|colou?r(?:=.*)?|reporter=.*|bail))$/;
