/** The result a test run reports. */
export interface TestRun {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names or files of the failing tests, as the runner prints them. */
  readonly failing: readonly string[];
}

const MAX_FAILING = 5;
const MAX_LINE = 400;

/** Reads the counts of common test runners. Null when the output has none. */
export function parseTestRun(output: string): TestRun | null {
  const run: Counting = { passed: 0, failed: 0, skipped: 0, isTold: false, failing: new Set() };
  const go = { passed: 0, failed: 0 };
  for (const raw of output.split("\n")) {
    const line = (raw.length > MAX_LINE ? raw.slice(0, MAX_LINE) : raw).trim();
    if (line === "") continue;
    if (FAILING_START.test(line)) noteFailing(run, line);
    if (line.startsWith("--- PASS: ") || /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/.test(line)) go.passed++;
    else if (line.startsWith("--- FAIL: ")) go.failed++;
    else if (A_NUMBER.test(line)) noteCounts(run, line);
  }
  if (!run.isTold && go.passed + go.failed > 0) {
    run.passed = go.passed;
    run.failed = go.failed;
    run.isTold = true;
  }
  if (!run.isTold) return null;
  return {
    passed: run.passed,
    failed: run.failed,
    skipped: run.skipped,
    failing: [...run.failing].slice(0, MAX_FAILING),
  };
}

/** Cheap pre-check: most lines of an output cannot match. */
const FAILING_START = /^[FE\-tn●✖]/;
const A_NUMBER = /\d/;

interface Counting {
  passed: number;
  failed: number;
  skipped: number;
  isTold: boolean;
  readonly failing: Set<string>;
}

/** The first reader that matches the line wins. Some runners sum up at the end, some in several lines. */
function noteCounts(run: Counting, line: string): void {
  for (const reader of READERS) {
    const told = reader(line, run);
    if (told === undefined) continue;
    run.passed = Math.max(0, told.passed ?? run.passed);
    run.failed = told.failed ?? run.failed;
    run.skipped = told.skipped ?? run.skipped;
    run.isTold = true;
    return;
  }
}

type Counts = Partial<Pick<Counting, "passed" | "failed" | "skipped">>;

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
    const told = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (told === null) return undefined;
    const [, passed, failed, skipped] = told.map(Number);
    return {
      passed: (run.passed ?? 0) + passed!,
      failed: (run.failed ?? 0) + failed!,
      skipped: (run.skipped ?? 0) + skipped!,
    };
  },
  function nodeTest(line) {
    const told = /^[#ℹ] (pass|fail|skipped) (\d+)$/.exec(line);
    return told === null ? undefined : byWord(told[1]!, Number(told[2]));
  },
  function mocha(line) {
    const told = /^(\d+) (passing|failing|pending)\b/.exec(line);
    return told === null ? undefined : byWord(told[2]!, Number(told[1]));
  },
  function maven(line) {
    const told =
      /^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+)(?:, Errors: (\d+))?(?:, Skipped: (\d+))?/.exec(line);
    if (told === null) return undefined;
    const [total, failures, errors, skipped] = told.slice(1).map((value) => Number(value ?? 0));
    const failed = failures! + errors!;
    return { passed: total! - failed - skipped!, failed, skipped: skipped! };
  },
  function rspec(line) {
    const told = /^(\d+) (?:examples?|runs), .*?(\d+) failures?/.exec(line);
    return told === null ? undefined : { passed: Number(told[1]) - Number(told[2]), failed: Number(told[2]) };
  },
  function gradle(line) {
    const told = /^(\d+) tests completed, (\d+) failed(?:, (\d+) skipped)?/.exec(line);
    if (told === null) return undefined;
    const [total, failed, skipped] = told.slice(1).map((value) => Number(value ?? 0));
    return { passed: total! - failed! - skipped!, failed: failed!, skipped: skipped! };
  },
  function phpunit(line) {
    const well = /^OK \((\d+) tests?, /.exec(line);
    if (well !== null) return { passed: Number(well[1]), failed: 0 };
    const told = /^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?/.exec(line);
    if (told === null) return undefined;
    const failed = Number(told[2] ?? 0) + Number(told[3] ?? 0);
    return { passed: Number(told[1]) - failed, failed };
  },
  function unittest(line, run) {
    const total = /^Ran (\d+) tests? in /.exec(line);
    if (total !== null) return { passed: Number(total[1]), failed: 0 };
    const told = /^FAILED \(((?:failures|errors|skipped)=[^)]{1,80})\)/.exec(line)?.[1];
    if (told === undefined) return undefined;
    const failed = [...told.matchAll(/(?:failures|errors)=(\d+)/g)].reduce(
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

function byWord(word: string, value: number): Counts {
  if (word.startsWith("pass")) return { passed: value };
  return word.startsWith("fail") ? { failed: value } : { skipped: value };
}

function noteFailing(run: Counting, line: string): void {
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
const UNKNOWN_TESTS = `${TEST_FACT}outcome unknown`;

/** `failed` is null where neither the tests' own status nor the runner's summary is known. */
export function testFact(run: TestRun | null, failed: boolean | null): string {
  if (failed === null) return UNKNOWN_TESTS;
  if (run === null) return `${TEST_FACT}${failed ? "failed" : "passed"}`;
  const skipped = run.skipped > 0 ? `, ${run.skipped} skipped` : "";
  return `${TEST_FACT}${run.passed} passed, ${run.failed} failed${skipped}`;
}

export function isTestFact(fact: string): boolean {
  return fact.startsWith(TEST_FACT);
}

/** A run that is known to have passed or failed. */
export function isKnownTestFact(fact: string): boolean {
  return isTestFact(fact) && fact !== UNKNOWN_TESTS;
}
