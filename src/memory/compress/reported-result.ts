/** How much of an output is visible: all of it, its end, or arbitrary lines. */
export type OutputExtent = "whole" | "end" | "part";

/** The result that a test runner's output clearly states, for runs whose status is hidden; null if none. */
export function reportedTestResult(output: string, shown: OutputExtent): "passed" | "failed" | null {
  const lines = linesOf(output);
  if (lines.some((line) => TEST_FAILED.test(line) && !PASSED_TEST_LINE.test(line))) return "failed";
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  const isPassed = SUMMARIES.some(
    ({ needs, ...summary }) => needs.every(has) && (summary.shown ?? [shown]).includes(shown),
  );
  return isPassed ? "passed" : null;
}

/** Whether an output clearly states that the command failed, whatever it was. */
export function reportsFailure(output: string): boolean {
  return linesOf(output).some((line) => RUN_FAILED.test(line));
}

const MAX_LINES = 4_000;
const MAX_LINE_CHARS = 400;

function linesOf(output: string): string[] {
  return output.split("\n", MAX_LINES).map((line) => line.slice(0, MAX_LINE_CHARS).trim());
}

const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join("|"));

/** The line of a passed test may contain any words. */
const PASSED_TEST_LINE = /^(?:[✓✔√]|ok\b|PASS\b|--- PASS)/;

const TEST_FAILED = anyOf([
  /^[#ℹ] (?:fail|cancelled) [1-9]/,
  /^(?:=+ )?[1-9]\d* (?:tests? )?(?:fail|failed|failing|failures?|errors?)(?:$|[\s,;.:|(=])/,
  /^(?:=+ )?\d+ \w+, (?:.{0,80}, )?[1-9]\d* (?:failed|failures?|errors?)\b/,
  /^Test(?:s| Files| Suites):?\s.{0,80}\b[1-9]\d* (?:failed|errors?)\b/,
  /^Errors\s+[1-9]\d* errors?\b/,
  /^FAIL(?:ED|URE|URES)?(?:$|[\s!:(|])/,
  /^(?:FAILED|Failed!) /,
  / (?:\.\.\. |> .{0,200}\s)FAILED$/,
  /^--- FAIL: /,
  /^not ok \d+(?!.{0,300}# (?:todo|skip))/i,
  /^test result: FAILED/,
  /\b(?:Failures|Errors|failures|errors)[:=] ?[1-9]/,
  /\bExecuted \d+ tests?, with [1-9]\d* failures?/,
  /\b[1-9]\d* tests failed out of \d/,
  /^(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b/,
  /^● .{1,200} › /,
  /coverage threshold .{1,80} not met/,
]);

/** Printed only by a program that could not do its work. */
const RUN_FAILED = anyOf([
  /^npm (?:ERR!|error)(?:\s|$)/,
  /\bERR_PNPM_[A-Z]|\bELIFECYCLE\b/,
  /^error Command failed with exit code [1-9]/,
  /^error: (?:script ".{1,80}" exited with code|test failed|could not compile|recipe )/,
  /^g?make(?:\[\d+\])?: \*\*\* /,
  /: (?:command )?not found$/,
  /(?:^|: )error TS\d{3,5}: /,
  /^Found [1-9]\d* errors?\b/,
  /^✖ \d+ problems? \([1-9]\d* errors?/,
  /^error\[E\d{4}\]/,
  /^(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b/,
]);

interface Summary {
  /** Each must match a line of the output. */
  readonly needs: readonly RegExp[];
  /** Set where failures are reported elsewhere than passes; missing: on the same lines. */
  readonly shown?: readonly OutputExtent[];
}

const SUMMARIES: readonly Summary[] = [
  { needs: [/^Test (?:Files|Suites):?\s.{0,80}\d passed/, /^Tests:?\s.{0,80}\d passed/] },
  { needs: [/^(?:=+ )?(?:\d+ \w+, ){0,4}[1-9]\d* passed\b.{0,120} in [\d.]+ ?m?s/] },
  { needs: [/^[#ℹ] pass [1-9]/, /^[#ℹ] fail 0$/] },
  { needs: [/^[1-9]\d* pass$/, /^0 fail$/] },
  { needs: [/^Ran [1-9]\d* tests? in /, /^OK\b/] },
  { needs: [/^OK \([1-9]\d* tests?, /] },
  { needs: [/^ok \| [1-9]\d* passed.{0,80} 0 failed/] },
  { needs: [/^[1-9]\d* (?:examples?|runs?|tests?), .{0,80}\b0 failures\b/] },
  { needs: [/^(?:\[\w+\] )?BUILD SUCCESS(?:FUL)?\b/] },
  { needs: [/^Passed!\s+-\s+Failed:\s+0,/] },
  { needs: [/^100% tests passed\b/] },
  { needs: [/\bExecuted [1-9]\d* tests?, with 0 failures/] },
  { needs: [/^[1-9]\d* passing\b/], shown: ["whole", "end"] },
  { needs: [/^test result: ok\. [1-9]/], shown: ["whole", "end"] },
  { needs: [/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/], shown: ["whole", "end"] },
  { needs: [/^--- PASS: /, /^(?:PASS|ok\s.*)$/], shown: ["whole", "end"] },
  { needs: [/^[1-9]\d* passed \([\d.]+m?s\)$/], shown: ["whole"] },
];
