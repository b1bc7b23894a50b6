/** The result a test run reports. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names or files of the failing tests, as the runner prints them. */
  readonly failing: readonly string[];
}

const MAX_FAILING = 5;
const MAX_LINE_CHARS = 400;

/** Reads the counts of common test runners. Null when the output has none. */
export function parseTestRun(output: string): TestRun | null {
  const run: TestCounter = { passed: 0, failed: 0, skipped: 0, hasCounts: false, failing: new Set() };
  const go = { passed: 0, failed: 0 };
  for (const raw of output.split("\n")) {
    const line = (raw.length > MAX_LINE_CHARS ? raw.slice(0, MAX_LINE_CHARS) : raw).trim();
    if (line === "") continue;
    if (FAILING_START.test(line)) noteFailing(run, line);
    if (line.startsWith("--- PASS: ") || /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/.test(line)) go.passed++;
    else if (line.startsWith("--- FAIL: ")) go.failed++;
    else if (ANY_DIGIT.test(line)) noteCounts(run, line);
  }
  if (!run.hasCounts && go.passed + go.failed > 0) {
    run.passed = go.passed;
    run.failed = go.failed;
    run.hasCounts = true;
  }
  if (!run.hasCounts) return null;
  return {
    passed: run.passed,
    failed: run.failed,
    skipped: run.skipped,
    failing: [...run.failing].slice(0, MAX_FAILING),
  };
}

/** Cheap pre-check: most lines of an output cannot match. */
const FAILING_START = /^[FE\-tn●✖]/;
const ANY_DIGIT = /\d/;

interface TestCounter {
  passed: number;
  failed: number;
  skipped: number;
  hasCounts: boolean;
  readonly failing: Set<string>;
}

/** The first reader that matches the line wins. Some runners sum up at the end, some in several lines. */
function noteCounts(run: TestCounter, line: string): void {
  for (const reader of READERS) {
    const match = reader(line, run);
    if (match === undefined) continue;
    run.passed = Math.max(0, match.passed ?? run.passed);
    run.failed = match.failed ?? run.failed;
    run.skipped = match.skipped ?? run.skipped;
    run.hasCounts = true;
    return;
  }
}

type Counts = Partial<Pick<TestCounter, "passed" | "failed" | "skipped">>;

const READERS: readonly ((line: string, run: Counts) => Counts | undefined)[] = [
  function vitestJestPytest(line) {
    const isSummary =
      (line.startsWith("Tests") && / \d+ (?:passed|failed|skipped|todo)\b/.test(line)) ||
      /\b\d+ (?:passed|failed|errors?)\b.* in [\d.]+ ?m?s/.test(line);
    if (!isSummary) return undefined;
    const failed = count(line, FAILED) + count(line, ERRORS);
    return { passed: count(line, PASSED), failed, skipped: count(line, SKIPPED) };
  },
  function cargo(line, run) {
    const match = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (match === null) return undefined;
    const [, passed, failed, skipped] = match.map(Number);
    return {
      passed: (run.passed ?? 0) + passed!,
      failed: (run.failed ?? 0) + failed!,
      skipped: (run.skipped ?? 0) + skipped!,
    };
  },
  function nodeTest(line) {
    const match = /^[#ℹ] (pass|fail|skipped) (\d+)$/.exec(line);
    return match === null ? undefined : countsByWord(match[1]!, Number(match[2]));
  },
  function mocha(line) {
    const match = /^(\d+) (passing|failing|pending)\b/.exec(line);
    return match === null ? undefined : countsByWord(match[2]!, Number(match[1]));
  },
  function maven(line) {
    const match =
      /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+)(?:, Errors: (\d+))?(?:, Skipped: (\d+))?/.exec(line);
    if (match === null) return undefined;
    const [total, failures, errors, skipped] = match.slice(1).map((value) => Number(value ?? 0));
    const failed = failures! + errors!;
    return { passed: total! - failed - skipped!, failed, skipped: skipped! };
  },
  function rspec(line) {
    const match = /^(\d+) (?:examples?|runs), .*?(\d+) failures?/.exec(line);
    return match === null
      ? undefined
      : { passed: Number(match[1]) - Number(match[2]), failed: Number(match[2]) };
  },
  function gradle(line) {
    const match = /^(\d+) tests completed, (\d+) failed(?:, (\d+) skipped)?/.exec(line);
    if (match === null) return undefined;
    const [total, failed, skipped] = match.slice(1).map((value) => Number(value ?? 0));
    return { passed: total! - failed! - skipped!, failed: failed!, skipped: skipped! };
  },
  function phpunit(line) {
    const okMatch = /^OK \((\d+) tests?, /.exec(line);
    if (okMatch !== null) return { passed: Number(okMatch[1]), failed: 0 };
    const match = /^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?/.exec(line);
    if (match === null) return undefined;
    const failed = Number(match[2] ?? 0) + Number(match[3] ?? 0);
    return { passed: Number(match[1]) - failed, failed };
  },
  function unittest(line, run) {
    const total = /^Ran (\d+) tests? in /.exec(line);
    if (total !== null) return { passed: Number(total[1]), failed: 0 };
    const match = /^FAILED \(((?:failures|errors|skipped)=[^)]{1,80})\)/.exec(line)?.[1];
    if (match === undefined) return undefined;
    const failed = [...match.matchAll(/(?:failures|errors)=(\d+)/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    return { passed: (run.passed ?? 0) - failed, failed };
  },
];

const PASSED = /(\d{1,9}) passed\b/;
const FAILED = /(\d{1,9}) failed\b/;
const ERRORS = /(\d{1,9}) errors?\b/;
const SKIPPED = /(\d{1,9}) skipped\b/;

function count(line: string, pattern: RegExp): number {
  return Number(pattern.exec(line)?.[1] ?? 0);
}

function countsByWord(word: string, value: number): Counts {
  if (word.startsWith("pass")) return { passed: value };
  return word.startsWith("fail") ? { failed: value } : { skipped: value };
}

function noteFailing(run: TestCounter, line: string): void {
  if (run.failing.size >= MAX_FAILING) return;
  for (const pattern of FAILING) {
    const name = pattern.exec(line)?.[1];
    if (name === undefined) continue;
    run.failing.add(name.trim());
    return;
  }
}

const FAILING = [
  /^FAIL {1,2}(?:\|\w+\| )?(\S+\.\w+(?: > .{1,200})?)/,
  /^FAILED (\S+::\S+)/,
  /^--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED/,
  /^not ok \d+ (?:- )?([^#]{1,200})/,
  /^(?:FAIL|ERROR): (\w+ \([\w.]+\))/,
  /^● (.{1,200}? › .{1,200})/,
  /^✖ (?!failing tests)(.{1,200}?) \([\d.]+ms\)/,
];

/** Prefix of the fact of a test run, by which readers of a turn's items recognise one. */
const TEST_FACT = "Tests: ";
const UNKNOWN_OUTCOME = `${TEST_FACT}outcome unknown`;

/** `failed` is null where neither the tests' own status nor the runner's summary is known. */
export function testFact(run: TestRun | null, failed: boolean | null): string {
  if (failed === null) return UNKNOWN_OUTCOME;
  if (run === null) return `${TEST_FACT}${failed ? "failed" : "passed"}`;
  const skipped = run.skipped > 0 ? `, ${run.skipped} skipped` : "";
  return `${TEST_FACT}${run.passed} passed, ${run.failed} failed${skipped}`;
}

export function isTestFact(fact: string): boolean {
  return fact.startsWith(TEST_FACT);
}

/** A run that is known to have passed or failed. */
export function isKnownTestFact(fact: string): boolean {
  return isTestFact(fact) && fact !== UNKNOWN_OUTCOME;
}
