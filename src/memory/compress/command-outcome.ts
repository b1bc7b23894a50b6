import { asObject, type Json } from "../../agents/read-json.ts";
import { formOfCall } from "../../agents/tool-call.ts";
import { type CommandEnd, commandEnds, type LineStatus } from "../../shell/command-ends.ts";
import { cleanText } from "./clean-text.ts";
import { isWithin } from "./command-key.ts";
import { isFilter, isNeutral, isOwn, isTestRun, withMeaning, withoutPrefix } from "./command-sense.ts";
import { readTests } from "./read-tests.ts";
import { type Shown, saidOfTests, saysFailed } from "./said-result.ts";
import { shownOutput } from "./shown-output.ts";
import { type PlacedCommand, placedCommands } from "./split-command.ts";

/** How a shell line ended: the one owner of what counts as having ended well. */
export interface CommandOutcome {
  /** Of all that gives the line its meaning; `unknown` where its status is hidden and the output does not tell. */
  readonly line: Outcome;
  /** Of its tests; null when it runs none. */
  readonly tests: Outcome | null;
  /** Its commands that are known to have ended well, as they stand in the line. */
  readonly ended: readonly string[];
}

type Outcome = "passed" | "failed" | "unknown";

export interface RanLine {
  readonly line: string;
  readonly status: LineStatus;
  readonly output: string;
}

/** A shell line that ran, as the event of its call has it. */
export function ranLine(payload: unknown): RanLine {
  const told = asObject(payload);
  const input = told["toolInput"];
  const line = lineOf(typeof input === "string" ? input : asObject(input)["command"]);
  const isCut = asObject(input)["$truncated"] !== undefined || line.includes(CUT);
  return {
    line: isCut ? "" : line,
    status: isCut ? "unknown" : statusOfCall(told),
    output: shownOutput(cleanText(told["toolOutput"])),
  };
}

/** Some agents give a list of words. */
export function lineOf(command: unknown): string {
  if (!Array.isArray(command)) return typeof command === "string" ? command : "";
  const words = command.slice(0, 60).filter((word) => typeof word === "string");
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-[a-z]*c$/.test(words[1] ?? "");
  return (isShell ? words.slice(2) : words).join(" ");
}

const CUT = "...[TRUNCATED]...";

/** Of a command that only began there is no status: who tells exit codes has told none. */
function statusOfCall(told: Json): LineStatus {
  const meta = asObject(told["metadata"]);
  const code = meta["exitCode"];
  if (told["success"] === false) return "nonzero";
  if (told["success"] !== true) return typeof code !== "number" ? "unknown" : code === 0 ? "zero" : "nonzero";
  // Where the two disagree, nothing is known.
  if (typeof code === "number") return code === 0 ? "zero" : "unknown";
  if (asObject(told["toolInput"])["run_in_background"] === true) return "unknown";
  const tellsCodes = typeof meta["command"] === "string" && formOfCall(told) === "shell";
  return tellsCodes ? "unknown" : "zero";
}

export function commandOutcome({ line, status, output }: RanLine): CommandOutcome {
  const ends = commandEnds(line, status, output);
  const commands = placedCommands(line);
  const own = commands.filter(isOwn);
  const tests = commands.filter(({ words }) => isTestRun(withoutPrefix(words)));
  if (ends === null)
    return {
      line: status === "nonzero" ? "failed" : "unknown",
      tests: tests.length > 0 ? "unknown" : null,
      ended: [],
    };
  const reading: Reading = { ends, commands, output, isLone: own.length === 1 };
  const testsEnd = tests.length === 0 ? null : endOfTests(reading, tests);
  const lineEnd = endOfLine(reading, withMeaning(commands), testsEnd, status);
  const isTold = (end: CommandEnd): boolean =>
    testsEnd === "passed" && tests.some((test) => isWithin(end, test));
  const ended = ends
    .filter((end) => (end.status === "zero" && !hidesOther(end, ends)) || isTold(end))
    .map(({ text }) => text);
  return { line: lineEnd, tests: testsEnd, ended };
}

/** Whether its text has another command in it that is not known to have ended well. */
function hidesOther({ start, end, text }: CommandEnd, ends: readonly CommandEnd[]): boolean {
  if (!text.includes("(")) return false;
  return ends.some((other) => other.start > start && other.end <= end && other.status !== "zero");
}

interface Reading {
  readonly ends: readonly CommandEnd[];
  readonly commands: readonly PlacedCommand[];
  readonly output: string;
  /** One command alone gives the line its meaning: what failed in the output is that one. */
  readonly isLone: boolean;
}

function endsOf({ ends }: Reading, some: readonly PlacedCommand[]): readonly CommandEnd[] {
  return ends.filter((end) => some.some((command) => isWithin(end, command)));
}

function endOfTests(reading: Reading, tests: readonly PlacedCommand[]): Outcome {
  const own = endsOf(reading, tests);
  if (own.some(({ status }) => status === "nonzero") || isBlame(reading, tests)) return "failed";
  // A script of the project may itself hide the status of its runner, whose counts are believed then.
  if (own.length > 0 && own.every(({ status }) => status === "zero"))
    return (readTests(reading.output)?.failed ?? 0) > 0 ? "failed" : "passed";
  const said = saidOfTests(reading.output, shownOf(reading, tests[0]!));
  if (said === "failed" || (reading.isLone && saysFailed(reading.output))) return "failed";
  return said === "passed" && tests.length === 1 ? "passed" : "unknown";
}

/** Whether nothing else can have failed: what only prepares or says something is not thought to. */
function isBlame(reading: Reading, some: readonly PlacedCommand[]): boolean {
  const own = endsOf(reading, some);
  const suspects = reading.ends.filter(({ status }) => status === "suspect" || status === "nonzero");
  return (
    suspects.length > 0 &&
    suspects.some((end) => own.includes(end)) &&
    suspects.every((end) => own.includes(end) || isNeutral(withoutPrefix(end.words)))
  );
}

/** How much of a command's output the filters behind it let through. */
function shownOf({ commands }: Reading, command: PlacedCommand): Shown {
  // What is read of a file afterwards may be any part of it.
  if (command.writes.length > 0) return "part";
  const behind = commands.slice(commands.indexOf(command) + 1);
  const end = behind.findIndex(({ joint }) => joint !== "|");
  const names = (end < 0 ? behind : behind.slice(0, end)).map(({ words }) => withoutPrefix(words)[0] ?? "");
  if (names.every((name) => name === "tee" || name === "cat")) return "whole";
  return names.every((name) => name === "tee" || name === "cat" || name === "tail") ? "end" : "part";
}

function endOfLine(
  reading: Reading,
  own: readonly PlacedCommand[],
  tests: Outcome | null,
  status: LineStatus,
): Outcome {
  const ends = endsOf(reading, own);
  if (tests === "failed" || ends.some((end) => end.status === "nonzero")) return "failed";
  const isDone = ends.length > 0 && ends.every((end) => end.status === "zero");
  if (isDone && tests !== "unknown") return "passed";
  if (tests === "passed" && (own.length === 1 || reading.isLone)) return "passed";
  const suspects = reading.ends.filter((end) => end.status === "suspect" || end.status === "nonzero");
  const filters = reading.commands.filter(isFilter);
  const isByFilter = endsOf(reading, filters).some((end) => suspects.includes(end));
  if (status === "nonzero" && suspects.length > 0 && !isByFilter) return "failed";
  const isBuild = own.length === 1 && BUILDERS.has(withoutPrefix(own[0]!.words)[0] ?? "");
  return isBuild && saysFailed(reading.output) ? "failed" : "unknown";
}

/** Whose output is about their own work, and not about another's. */
const BUILDERS = new Set(
  "npm pnpm yarn bun deno tsc eslint biome vite webpack rollup esbuild make just cargo go gradle gradlew mvn dotnet ng".split(
    " ",
  ),
);
