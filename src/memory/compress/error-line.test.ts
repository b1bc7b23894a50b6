import { describe, expect, it } from "vitest";
import { errorLine, errorLocation } from "./error-line.ts";

describe("errorLine and errorLocation", () => {
  it.each([
    ["tsc", "Starting\nsrc/a.ts(3,5): error TS2345: No.\nFound 1 error.", "src/a.ts(3,5): error TS2345: No."],
    ["tsc, pretty", "src/a.ts:3:5 - error TS2345: No.\n\n3 foo()", "src/a.ts:3:5 - error TS2345: No."],
    [
      "eslint",
      "/p/a.ts\n  3:5  error  'x' is unused  no-unused-vars\n\n✖ 1 problem",
      "/p/a.ts:3:5  error  'x' is unused  no-unused-vars",
    ],
    [
      "pytest",
      ">  assert f() == 1\nE       assert 2 == 1\nFAILED t.py::test_f - assert 2 == 1",
      "assert 2 == 1",
    ],
    [
      "vitest",
      " FAIL  a.test.ts > b\nAssertionError: expected 1 to be 2",
      "AssertionError: expected 1 to be 2",
    ],
    ["go", "# acme/cart\n./cart.go:4:2: undefined: x\n", "./cart.go:4:2: undefined: x"],
    [
      "cargo",
      "   Compiling x\nerror[E0308]: mismatched types\n --> src/m.rs:2:1",
      "error[E0308]: mismatched types",
    ],
    [
      "node",
      "node:internal/x:1\n    throw new ERR_X(\n\nError [ERR_X]: Cannot find package 'zod'\n    at f (/p/a.js:1:1)",
      "Error [ERR_X]: Cannot find package 'zod'",
    ],
    ["python", "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'", "KeyError: 'x'"],
    [
      "npm",
      'npm error Missing script: "biuld"\nnpm error\nnpm error A complete log',
      'npm error Missing script: "biuld"',
    ],
    [
      "npm, with a code",
      "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve",
      "npm error ERESOLVE unable to resolve",
    ],
    ["git", "hint: x\nfatal: not a git repository", "fatal: not a git repository"],
    ["the shell", "/bin/bash: line 1: foo: command not found", "foo: command not found"],
    ["permissions", "cp: cannot create 'x': Permission denied", "cp: cannot create 'x': Permission denied"],
    ["gcc", "a.c: In function 'main':\na.c:3:5: error: 'x' undeclared", "a.c:3:5: error: 'x' undeclared"],
    ["Korean", "빌드 시작\n오류: 파일을 찾을 수 없습니다", "오류: 파일을 찾을 수 없습니다"],
    [
      "a message that goes on",
      "InputError: these issues:\nthe path is missing",
      "InputError: these issues: the path is missing",
    ],
    ["nothing that looks like one", "one\ntwo\n", "two"],
    ["colours and rules", "=====\n-----\n", null],
    ["good news", "0 errors\nsomething else", "something else"],
  ])("find the line for %s", (_, output, line) => {
    expect(errorLine(output)).toBe(line);
  });

  it("take the first line of a tool that explains itself", () => {
    expect(errorLine("one\ntwo", "first")).toBe("one");
  });

  it.each([
    ["Error: x\n    at f (node:internal/y:1:2)\n    at g (/p/src/a.js:3:9)", "/p/src/a.js:3:9"],
    ["E\n    at file:///p/a.mjs:3:9", "/p/a.mjs:3:9"],
    ['  File "/p/a.py", line 3, in x\n  File "/p/b.py", line 5, in y\nKeyError', "/p/b.py:5"],
    ["error\n  --> src/main.rs:2:18", "src/main.rs:2:18"],
    ["no place", null],
  ])("find the location: %j", (output, location) => {
    expect(errorLocation(output)).toBe(location);
  });
});
