import { describe, expect, it } from "vitest";
import { parseTestRun, testFact } from "./test-run.ts";

describe("parseTestRun", () => {
  it.each([
    [
      "vitest",
      " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 39 passed | 1 skipped (42)\n",
      39,
      2,
    ],
    ["jest", "Test Suites: 1 failed, 1 total\nTests:       2 failed, 39 passed, 41 total", 39, 2],
    ["pytest", "==== 2 failed, 39 passed, 1 skipped in 1.20s ====", 39, 2],
    ["pytest -q", "39 passed in 0.12s", 39, 0],
    [
      "cargo",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: FAILED. 1 passed; 1 failed; 0 ignored;",
      4,
      1,
    ],
    ["go -v", "--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\tacme/cart\t0.003s", 1, 1],
    ["go", "ok  \tacme/cart\t0.003s\nok  \tacme/view\t(cached)", 2, 0],
    ["node:test", "# tests 3\n# pass 2\n# fail 1\n# skipped 0", 2, 1],
    ["node:test, spec", "ℹ pass 2\nℹ fail 1", 2, 1],
    ["mocha", "  39 passing (20ms)\n  2 failing\n", 39, 2],
    ["maven", "[ERROR] Tests run: 41, Failures: 1, Errors: 1, Skipped: 0", 39, 2],
    ["gradle", "CartTest > total FAILED\n\n41 tests completed, 2 failed", 39, 2],
    ["rspec", "41 examples, 2 failures", 39, 2],
    ["phpunit", "OK (41 tests, 80 assertions)", 41, 0],
    ["phpunit, failing", "Tests: 41, Assertions: 80, Failures: 2.", 39, 2],
    ["unittest", "Ran 41 tests in 0.01s\n\nFAILED (failures=1, errors=1)", 39, 2],
  ])("reads the counts of %s", (_, output, passed, failed) => {
    expect(parseTestRun(output)).toMatchObject({ passed, failed });
  });

  it.each([
    [" FAIL  src/a.test.ts > b > c", "src/a.test.ts > b > c"],
    ["FAILED tests/test_a.py::test_b - assert 1", "tests/test_a.py::test_b"],
    ["--- FAIL: TestB (0.00s)", "TestB"],
    ["test cart::total ... FAILED", "cart::total"],
    ["not ok 2 - rounds", "rounds"],
    ["  ● total › rounds", "total › rounds"],
  ])("lists failing tests: %s", (line, name) => {
    expect(parseTestRun(`${line}\n 1 failed in 2s`)?.failing).toEqual([name]);
  });

  it("returns null without counts", () => {
    expect(parseTestRun("Done in 3 s\n12 files")).toBeNull();
    expect(testFact(null, true)).toBe("Tests: failed");
    expect(testFact({ passed: 3, failed: 0, skipped: 1, failing: [] }, false)).toBe(
      "Tests: 3 passed, 0 failed, 1 skipped",
    );
  });
});
