import { asObject, type Json } from "../../agents/read-json.ts";
import { formOfCall } from "../../agents/tool-call.ts";
import { type CommandStatus, commandStatuses, type LineStatus } from "../../shell/command-statuses.ts";
import {
  isFilter,
  isNeutral,
  isSubstantive,
  isTestRun,
  substantiveCommands,
  withoutPrefix,
} from "./classify-command.ts";
import { cleanText } from "./clean-text.ts";
import { isWithin } from "./command-key.ts";
import { type OutputExtent, reportedTestResult, reportsFailure } from "./reported-result.ts";
import { type LocatedCommand, locateCommands } from "./split-command.ts";
import { parseTestRun } from "./test-run.ts";
import { unwrapOutput } from "./unwrap-output.ts";

/** How a shell line ended. The only place that decides what counts as success. */
export interface CommandOutcome {
  /** Of the commands that define the line; `unknown` if its status is hidden and the output is unclear. */
  readonly line: Outcome;
  /** Outcome of its tests; null when it runs none. */
  readonly tests: Outcome | null;
  /** Commands known to have succeeded, as written in the line. */
  readonly succeeded: readonly string[];
}

type Outcome = "passed" | "failed" | "unknown";

export interface ShellRun {
  readonly line: string;
  readonly status: LineStatus;
  readonly output: string;
}

/** Reads a shell line that ran from the payload of its call. */
export function toShellRun(payload: unknown): ShellRun {
  const payloadFields = asObject(payload);
  const input = payloadFields["toolInput"];
  const line = toCommandLine(typeof input === "string" ? input : asObject(input)["command"]);
  const isCut = asObject(input)["$truncated"] !== undefined || line.includes(TRUNCATION_MARK);
  return {
    line: isCut ? "" : line,
    status: isCut ? "unknown" : statusOfCall(payloadFields),
    output: unwrapOutput(cleanText(payloadFields["toolOutput"])),
  };
}

/** Some agents send a list of words. */
export function toCommandLine(command: unknown): string {
  if (!Array.isArray(command)) return typeof command === "string" ? command : "";
  const words = command.slice(0, 60).filter((word) => typeof word === "string");
  const isShell = /(?:^|\/)(?:ba|z|da)?sh$/.test(words[0] ?? "") && /^-[a-z]*c$/.test(words[1] ?? "");
  return (isShell ? words.slice(2) : words).join(" ");
}

const TRUNCATION_MARK = "...[TRUNCATED]...";

/** A command that only started has no status: an agent that reports exit codes has not reported one. */
function statusOfCall(payloadFields: Json): LineStatus {
  const meta = asObject(payloadFields["metadata"]);
  const code = meta["exitCode"];
  if (payloadFields["success"] === false) return "nonzero";
  if (payloadFields["success"] !== true)
    return typeof code !== "number" ? "unknown" : code === 0 ? "zero" : "nonzero";
  // Where the two disagree, the status is unknown.
  if (typeof code === "number") return code === 0 ? "zero" : "unknown";
  if (asObject(payloadFields["toolInput"])["run_in_background"] === true) return "unknown";
  const reportsExitCodes = typeof meta["command"] === "string" && formOfCall(payloadFields) === "shell";
  return reportsExitCodes ? "unknown" : "zero";
}

export function commandOutcome({ line, status, output }: ShellRun): CommandOutcome {
  const ends = commandStatuses(line, status, output);
  const commands = locateCommands(line);
  const ownStatuses = commands.filter(isSubstantive);
  const tests = commands.filter(({ words }) => isTestRun(withoutPrefix(words)));
  if (ends === null)
    return {
      line: status === "nonzero" ? "failed" : "unknown",
      tests: tests.length > 0 ? "unknown" : null,
      succeeded: [],
    };
  const reading: Reading = { statuses: ends, commands, output, isLone: ownStatuses.length === 1 };
  const testsEnd = tests.length === 0 ? null : testsOutcome(reading, tests);
  const lineEnd = lineOutcome(reading, substantiveCommands(commands), testsEnd, status);
  const isReportedTest = (end: CommandStatus): boolean =>
    testsEnd === "passed" && tests.some((test) => isWithin(end, test));
  const succeeded = ends
    .filter((end) => (end.status === "zero" && !hidesOther(end, ends)) || isReportedTest(end))
    .map(({ text }) => text);
  return { line: lineEnd, tests: testsEnd, succeeded };
}

/** Whether its text contains another command that is not known to have succeeded. */
function hidesOther({ start, end, text }: CommandStatus, ends: readonly CommandStatus[]): boolean {
  if (!text.includes("(")) return false;
  return ends.some((other) => other.start > start && other.end <= end && other.status !== "zero");
}

interface Reading {
  readonly statuses: readonly CommandStatus[];
  readonly commands: readonly LocatedCommand[];
  readonly output: string;
  /** A single command defines the line, so a failure in the output is its failure. */
  readonly isLone: boolean;
}

function endsOf({ statuses: ends }: Reading, some: readonly LocatedCommand[]): readonly CommandStatus[] {
  return ends.filter((end) => some.some((command) => isWithin(end, command)));
}

function testsOutcome(reading: Reading, tests: readonly LocatedCommand[]): Outcome {
  const ownStatuses = endsOf(reading, tests);
  if (ownStatuses.some(({ status }) => status === "nonzero") || isOnlySuspect(reading, tests))
    return "failed";
  // A project script may itself hide the status of its runner, so the runner's counts win.
  if (ownStatuses.length > 0 && ownStatuses.every(({ status }) => status === "zero"))
    return (parseTestRun(reading.output)?.failed ?? 0) > 0 ? "failed" : "passed";
  const reported = reportedTestResult(reading.output, outputExtentOf(reading, tests[0]!));
  if (reported === "failed" || (reading.isLone && reportsFailure(reading.output))) return "failed";
  return reported === "passed" && tests.length === 1 ? "passed" : "unknown";
}

/** Whether nothing else can have failed; commands that only prepare or print are assumed not to. */
function isOnlySuspect(reading: Reading, some: readonly LocatedCommand[]): boolean {
  const ownStatuses = endsOf(reading, some);
  const suspects = reading.statuses.filter(({ status }) => status === "suspect" || status === "nonzero");
  return (
    suspects.length > 0 &&
    suspects.some((end) => ownStatuses.includes(end)) &&
    suspects.every((end) => ownStatuses.includes(end) || isNeutral(withoutPrefix(end.words)))
  );
}

/** How much of a command's output passes the filters behind it. */
function outputExtentOf({ commands }: Reading, command: LocatedCommand): OutputExtent {
  // What is read back from a file may be any part of it.
  if (command.writes.length > 0) return "part";
  const behind = commands.slice(commands.indexOf(command) + 1);
  const end = behind.findIndex(({ operator }) => operator !== "|");
  const names = (end < 0 ? behind : behind.slice(0, end)).map(({ words }) => withoutPrefix(words)[0] ?? "");
  if (names.every((name) => name === "tee" || name === "cat")) return "whole";
  return names.every((name) => name === "tee" || name === "cat" || name === "tail") ? "end" : "part";
}

function lineOutcome(
  reading: Reading,
  ownStatuses: readonly LocatedCommand[],
  tests: Outcome | null,
  status: LineStatus,
): Outcome {
  const ends = endsOf(reading, ownStatuses);
  if (tests === "failed" || ends.some((end) => end.status === "nonzero")) return "failed";
  const isDone = ends.length > 0 && ends.every((end) => end.status === "zero");
  if (isDone && tests !== "unknown") return "passed";
  if (tests === "passed" && (ownStatuses.length === 1 || reading.isLone)) return "passed";
  const suspects = reading.statuses.filter((end) => end.status === "suspect" || end.status === "nonzero");
  const filters = reading.commands.filter(isFilter);
  const isByFilter = endsOf(reading, filters).some((end) => suspects.includes(end));
  if (status === "nonzero" && suspects.length > 0 && !isByFilter) return "failed";
  const isBuild = ownStatuses.length === 1 && BUILDERS.has(withoutPrefix(ownStatuses[0]!.words)[0] ?? "");
  return isBuild && reportsFailure(reading.output) ? "failed" : "unknown";
}

/** Commands whose output is about their own work only. */
const BUILDERS = new Set(
  "npm pnpm yarn bun deno tsc eslint biome vite webpack rollup esbuild make just cargo go gradle gradlew mvn dotnet ng".split(
    " ",
  ),
);
