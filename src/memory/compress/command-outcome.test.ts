import { describe, expect, it } from "vitest";
import { makeItem, makeTurn } from "../inject/items.testing.ts";
import { findOpenFailures } from "../inject/open-failures.ts";
import { findOpenSteps } from "../inject/open-steps.ts";
import type { MemoryItem } from "../memory-item.ts";
import { callEvent, command } from "./call.testing.ts";
import { commandOutcome } from "./command-outcome.ts";
import { compressCallWithOutcome } from "./compress-call.ts";
import { summariseTurn } from "./summarise-turn.ts";

const MASKED = [
  "npm test 2>&1 | head -3",
  "npm test | tail -5",
  "npm test | grep -c ok",
  "npm test 2>&1 | tee log",
  "npm test || true",
  "npm test; true",
  "npm test; echo done",
  "npm test &",
  "if npm test; then echo ok; fi",
  "(npm test; true)",
  "npm run lint; npm test | sed -n 1,3p",
  "cat <(npm test)",
  "diff <(npm test) expected.txt",
  "echo a | tee >(npm test)",
  "false && set -e; npm test; ls",
  "npm test || exit 256",
];

describe("a test run whose exit status is hidden", () => {
  it.each(MASKED)("has an unknown outcome: %s", (line) => {
    const item = command(line, { output: "> acme-shop test\n3" });
    expect(item).toMatchObject({ type: "test", title: "Ran npm test (outcome unknown)" });
    expect(item.facts[0]).toBe("Tests: outcome unknown");
    expect(JSON.stringify(item)).not.toContain("passed");
  });

  it.each(MASKED)("resolves no failure: %s", (line) => {
    const { content, success } = compressCallWithOutcome(callOf(payloadOf(line)));
    expect(success).toBeNull();
    const failure = makeItem(1, command("npm test", { exitCode: 1, output: "no" }), { success: false });
    const run = makeItem(2, content, { success });
    expect(findOpenFailures([run, failure]).map(({ id }) => id)).toEqual([1]);
    const calls = [failure, run].map(({ content: each }) => ({
      content: each,
      toolName: "Bash",
      success: null,
    }));
    const turn = { prompt: "Test it.", messages: [], lastAnswer: null, calls, failed: null };
    expect(summariseTurn(turn)?.nextSteps).toContain("Unresolved: npm test failed");
    expect(summariseTurn(turn)?.completed ?? "").not.toContain("npm test");
  });

  it.each([
    ["# tests 3\n# pass 2\n# fail 1"],
    ["  3 failed"],
    ["FAILED tests/test_a.py::test_b - assert 1"],
    ["Tests:       1 failed, 2 passed, 3 total"],
    [" Test Files  1 failed | 2 passed (3)\n      Tests  3 passed (3)"],
    ["npm error code ENOENT\nnpm error path /srv/package.json"],
    ["not ok 2 - rounds"],
    ["sh: 1: vitest: not found"],
    ["12 runs, 30 assertions, 0 failures, 1 errors, 0 skips"],
  ])("failed if the output shows it: %j", (output) => {
    for (const line of ["npm test 2>&1 | tail -5", "npm test || true"])
      expect(command(line, { output })).toMatchObject({ type: "failure" });
  });

  it.each([
    [" Test Files  3 passed (3)\n      Tests  39 passed (39)"],
    ["# pass 39\n# fail 0"],
    ["====== 39 passed in 1.20s ======"],
    ["  39 passing (20ms)"],
  ])("passed if the runner's summary shows it: %j", (output) => {
    const item = command("npm test 2>&1 | tail -5", { output });
    expect(item).toMatchObject({ type: "test", title: "npm test passed: 39 tests" });
  });

  it.each([
    ["npm test | grep pass", "# pass 39"],
    ["npm test > log; grep passing log", "  39 passing (20ms)"],
    ["npm test | head -1", "  39 passing (20ms)"],
    ["npm test | grep Tests", "      Tests  39 passed (39)"],
    ["npm run test:a; npm run test:b", "# pass 39\n# fail 0"],
  ])("is not known to have passed from part of the output: %s, %j", (line, output) => {
    const { tests } = commandOutcome({ line: `${line} | cat`, status: "zero", output });
    expect(tests).toBe("unknown");
  });
});

describe("a failure of another command", () => {
  it.each([
    ["npm test | grep FAIL", "Ran npm test (outcome unknown)"],
    ["! npm test", "npm test passed"],
    ["npm run build | grep error", "Ran npm run build"],
  ])("is not attributed to the command that ran: %s", (line, title) => {
    expect(command(line, { exitCode: 1 }).title).toBe(title);
  });

  it("leaves open which of two commands failed", () => {
    const item = command("npm test && git push", { exitCode: 1, output: "remote: no" });
    expect(item).toMatchObject({
      type: "failure",
      facts: expect.arrayContaining(["Tests: outcome unknown"]),
    });
  });
});

describe("a proven success", () => {
  it.each([
    ["npm test", "npm test && git status | head -1"],
    ["npm test", "npm test && git log --oneline | tail -1"],
    ["npm test", "npm test && npm run lint | tail -3"],
    ["sed -i s/a/b/ c.ts; npm test", "ls; npm test"],
    ["npm run build", "npm run build && git log --oneline | tail -1"],
    ["npm run build", "npm run build && npm run lint 2>&1 | tail -3"],
    ["npm run test:b", "npm run test:a && npm run test:b && git status | head -1"],
  ])("resolves the failure of the same command: %s, then %s", (failing, passing) => {
    const failure = commandItem(1, failing, 1);
    expect(findOpenFailures([failure])).toHaveLength(1);
    expect(findOpenFailures([commandItem(2, passing, 0), failure])).toEqual([]);
    const planned = makeTurn(1, { nextSteps: `Unresolved: ${failing.split("; ").at(-1)} failed: no` });
    expect(findOpenSteps([commandItem(2, passing, 0), planned])).toEqual([]);
  });

  it.each([
    ["npm run lint", "npm run build && npm run lint | tail -1"],
    ["npm test", "npm test --help"],
    ["npm test", "npm run build; npm test | tail -1"],
    ["npm test", "echo npm test && ls | head -1"],
    ["npm test", "cat <(npm test)"],
    ["jest", "jest -v"],
  ])("resolves no other failure: %s, then %s", (failing, passing) => {
    const failure = commandItem(1, failing, 1);
    expect(findOpenFailures([commandItem(2, passing, 0), failure])).toEqual([failure]);
    const planned = makeTurn(1, { nextSteps: `Unresolved: ${failing} failed: no` });
    expect(findOpenSteps([commandItem(2, passing, 0), planned])).toHaveLength(1);
  });

  it("does not include a command in a substitution", () => {
    const { succeeded } = commandOutcome({ line: "ls && cat <(npm test)", status: "zero", output: "" });
    expect(succeeded).toEqual(["ls"]);
  });

  it("follows the exit code if the agent reports nothing else", () => {
    const { success: _, ...payload } = payloadOf("npm test");
    const { content, success } = compressCallWithOutcome(callOf(payload));
    expect(content.title).toBe("npm test passed");
    expect(success).toBe(true);
  });
});

describe("a test runner that only prints information", () => {
  it.each([
    "npm test --help",
    "npm test -- --version",
    "vitest list",
    "vitest -v",
    "jest --listTests",
    "pytest --collect-only",
    "cargo test -- --list",
    "cargo test --no-run",
    "playwright test --list",
    "rspec --dry-run",
    "make -n test",
    "ctest -N",
    "go test -list . ./...",
    "gradle test --dry-run",
    "node --test --help",
  ])("runs no tests: %s", (line) => {
    const item = command(line, { output: "Usage: …" });
    expect(item.type).not.toBe("test");
    expect(JSON.stringify(item)).not.toContain("passed");
  });

  it.each(["go test -v ./...", "npm test -- --listen", "make test", "pytest -n 4", "vitest run list"])(
    "is not mistaken for one: %s",
    (line) => expect(command(line).type).toBe("test"),
  );
});

describe("other commands", () => {
  it("failed behind a pipe if the output shows it", () => {
    const output = "src/a.ts(3,1): error TS2322: Type 'x'";
    expect(command("npm run build 2>&1 | tail -5", { output }).type).toBe("failure");
    expect(command("cat build.log | tail -5", { output }).type).toBe("discovery");
  });

  it("made a commit only if git's output or status shows it", () => {
    const nothing = "nothing to commit, working tree clean";
    expect(command('git commit -m "x" || true', { output: nothing }).title).not.toContain("Committed");
    expect(command('git commit -m "x" | tail -1', { output: "[main abc1234] x" }).title).toContain(
      "Committed",
    );
  });
});

function callOf(payload: unknown) {
  return { event: callEvent(payload), before: null, after: null, prompt: null, projectPath: null };
}

function commandItem(id: number, line: string, exitCode: number): MemoryItem {
  const isSuccess = exitCode === 0;
  const error = isSuccess ? {} : { errorMessage: "no", toolOutput: "no" };
  const payload = { ...payloadOf(line), ...error, success: isSuccess, metadata: { command: line, exitCode } };
  const { content, success } = compressCallWithOutcome(callOf(payload));
  return makeItem(id, content, { success });
}

function payloadOf(line: string) {
  return {
    toolName: "Bash",
    toolInput: { command: line },
    toolOutput: "3",
    success: true,
    metadata: { command: line, exitCode: 0 },
  };
}
