import { basename } from "node:path";
import type { CallDescription } from "./call-description.ts";
import { type ClassifiedCommand, classifyCommand } from "./classify-command.ts";
import { clip, clipLine, formatList, oneLine } from "./clean-text.ts";
import { plainCommand } from "./command-key.ts";
import { toCommandLine } from "./command-outcome.ts";
import { plural } from "./describe-file.ts";
import { errorLine } from "./error-line.ts";
import { type Call, inputText, shortPath } from "./read-call.ts";
import { succeededFacts } from "./succeeded-fact.ts";
import { parseTestRun, type TestRun, testFact } from "./test-run.ts";

export function describeCommand(call: Call): CallDescription {
  const line = (inputText(call, "command") || clip(toCommandLine(call.input["command"]), 4_000)).trim();
  const classified = classifyCommand(line, call.cwd);
  const shown = shownCommand(line);
  const common = {
    attempt: shown === "" ? "A command" : shown,
    reads: classified.reads,
    modifies: classified.modifies,
    about: `${shown} ${inputText(call, "description", 200)}`,
  };
  const facts = [
    line === "" ? "" : `Command: ${clipLine(line, 229)}`,
    ...(call.outcome?.line === "unknown" ? succeededFacts(call.outcome.succeeded) : []),
    ...(call.failed ? [] : outputFacts(call)),
    call.durationMs !== null && call.durationMs >= MIN_REPORTED_MS
      ? `Took ${Math.round(call.durationMs / 1000)} s`
      : "",
  ];
  if (isEmptySearch(call, classified)) {
    return { ...common, type: "discovery", title: `Ran ${shown}: nothing found`, facts, hasFailed: false };
  }
  const failure = call.outcome === null ? {} : { hasFailed: call.outcome.line === "failed" };
  if (classified.kind === "test") return { ...common, ...failure, ...describeTests(call, classified, facts) };
  const isCommit = classified.kind === "commit" && (call.failed || hasCommitted(call));
  if (isCommit) return { ...common, ...failure, ...describeCommit(call, classified, facts) };
  const type = classified.kind === "change" ? "change" : classified.kind === "look" ? "discovery" : "command";
  return { ...common, ...failure, type, title: titleOf(call, classified, line, shown), facts };
}

const MIN_REPORTED_MS = 10_000;

/** The first line of the command as a person would write it. */
function shownCommand(line: string): string {
  const [first = "", ...rest] = plainCommand(line).split("\n", 40);
  const hasMore = rest.some((next) => next.trim() !== "");
  return clip(oneLine(first.slice(0, 600)), 78) + (hasMore && first.length <= 78 ? " …" : "");
}

function titleOf(call: Call, classified: ClassifiedCommand, line: string, shown: string): string {
  if (shown === "") return "Ran a command";
  if (call.input["run_in_background"] === true) return `Started in the background: ${shown}`;
  const [written] = classified.modifies;
  if (
    classified.kind === "change" &&
    written !== undefined &&
    /^(?:cat|tee|echo|printf)$/.test(classified.words[0] ?? "")
  ) {
    return `Wrote ${formatList(
      classified.modifies.map((file) => shortPath(call, file)),
      90,
    )} from the shell`;
  }
  const description = oneLine(inputText(call, "description", 200));
  const isDescriptive =
    description.length >= 12 && !/^(?:run|execute) (?:a |the )?commands?$/i.test(description);
  if (isDescriptive && (line.length > 60 || line.includes("\n"))) return description;
  const output = shownLines(call).join("\n").trim();
  const isShort = output !== "" && output.length <= 48 && !output.includes("\n");
  return `Ran ${shown}${isShort && !call.failed ? ` → ${output}` : ""}`;
}

const MAX_SHOWN_LINES = 3;

function outputFacts(call: Call): string[] {
  const lines = shownLines(call);
  if (lines.length === 0) return [];
  const shown = clipLine(lines.slice(0, MAX_SHOWN_LINES).map(oneLine).join(" / "), 200);
  const more = lines.length - MAX_SHOWN_LINES;
  return [`Output: ${shown}${more > 0 ? ` (+${plural(more, "line")})` : ""}`];
}

/** Skips empty lines and those in which npm echoes what it runs. */
function shownLines(call: Call): string[] {
  return call.output.split("\n", 2_000).filter((line) => line.trim() !== "" && !/^> \S/.test(line));
}

function describeTests(
  call: Call,
  classified: ClassifiedCommand,
  facts: readonly string[],
): Omit<CallDescription, "attempt"> {
  const run = parseTestRun(call.output) ?? (call.error === call.output ? null : parseTestRun(call.error));
  const tests = call.outcome?.tests ?? (call.failed ? "failed" : "unknown");
  const name = clip(oneLine(classified.words.join(" ")).replace(/[\u0001]/g, ""), 50);
  const testFacts = [
    testFact(run, tests === "unknown" ? null : tests === "failed"),
    run === null || run.failing.length === 0 ? "" : `Failing: ${formatList(run.failing, 220, "; ")}`,
  ];
  const passed = run === null ? `${name} passed` : `${name} passed: ${plural(run.passed, "test")}`;
  const hasFailureCount = tests === "failed" && run !== null && run.failed > 0;
  return {
    type: "test",
    title: tests === "passed" ? passed : `Ran ${name} (outcome unknown)`,
    facts: [...testFacts, ...facts],
    known: ["test"],
    ...(hasFailureCount && { failure: failedTitle(name, run) }),
  };
}

function failedTitle(name: string, run: TestRun): string {
  const where = run.failing.map((test) =>
    /^\S+\.\w+/.test(test) ? basename(test.split(/ > |::/)[0]!) : test,
  );
  const tail = where.length === 0 ? "" : ` (${formatList(where, 60)})`;
  return `${name} failed: ${run.failed} of ${run.passed + run.failed}${tail}`;
}

const COMMIT_MADE = /^\[([^\]\s]{1,200})(?: \([^)]{1,40}\))? ([0-9a-f]{6,40})\] (.{1,300})$/m;

/** Whether git's output or status shows that the commit was made. */
function hasCommitted({ output, outcome }: Call): boolean {
  if (COMMIT_MADE.test(output)) return true;
  return (outcome?.succeeded ?? []).some((text) => classifyCommand(text, null).kind === "commit");
}

function describeCommit(
  call: Call,
  classified: ClassifiedCommand,
  facts: readonly string[],
): Omit<CallDescription, "attempt"> {
  const commit = COMMIT_MADE.exec(call.output);
  const subject = oneLine(commit?.[3] ?? classified.message ?? "");
  const changed = /^ ?\d+ files? changed.{0,80}$/m.exec(call.output)?.[0].trim() ?? "";
  const title = commit === null ? "Committed" : `Committed ${commit[2]}`;
  return {
    type: "change",
    title: subject === "" ? title : `${title}: ${subject}`,
    facts: [
      commit === null ? "" : `Commit ${commit[2]} on ${commit[1]}: ${subject}`,
      changed,
      ...facts.slice(0, 1),
    ],
    known: ["git"],
    about: subject,
  };
}

/** A search that exits with 1 and prints nothing did not fail: there is nothing to find. */
function isEmptySearch(call: Call, classified: ClassifiedCommand): boolean {
  if (!call.failed || call.exitCode !== 1 || classified.kind !== "look") return false;
  const isSearch = /^(?:e?grep|rg|ag|git|which|diff)$/.test(classified.words[0] ?? "");
  return isSearch && errorLine(call.error) === null;
}
