import { describe, expect, it } from "vitest";
import { commandStatuses, type LineStatus } from "./command-statuses.ts";

/** The status inferred for `t` from the status of its line. */
function inferredStatus(line: string, status: LineStatus, output = ""): string | undefined {
  return commandStatuses(line, status, output)?.find(({ words }) => words[0] === "t")?.status;
}

describe("commandStatuses for a line that succeeded", () => {
  it.each([
    "t",
    "t && echo done",
    "cd a && t",
    "cd a; t",
    "(cd a && t)",
    "{ t; }",
    "time t",
    "t > log 2>&1",
    "set -o pipefail; t | tail -5",
    "set -euo pipefail\nt 2>&1 | tee log\necho done",
    "set -e; t; echo done",
    "t || exit 1; echo done",
    "t || { echo no; exit 1; }",
    "t; exit $?",
    "t; code=$?; cat log; exit $code",
    "bash -c 't'",
    "bash -eo pipefail -c 't | tail; echo done'",
    "server & t",
    "t && git log | tail -1",
    "set -o pipefail && t | tail -5",
    "cd a && set -o pipefail && t | tail -5",
    "set -e; { t; ls; }; echo done",
    "set -e; (t && ls); echo done",
    "set -e && cd a; t; echo done",
    't; code=$?; echo "code $code"; exit $code',
    "t || exit 255; ls",
  ])("infers success: %s", (line) => expect(inferredStatus(line, "zero")).toBe("zero"));

  it.each([
    "t | head -3",
    "t 2>&1 | tail -5",
    "t |& grep -c ok",
    "t | tee log",
    "t || true",
    "t || echo failed",
    "t; true",
    "t; echo done",
    "t\necho done",
    "t &",
    "t & wait",
    "if t; then echo ok; fi",
    "while t; do sleep 1; done",
    "for a in b; do t; done",
    "case a in a) t;; esac",
    "(t; true)",
    "(t) | cat",
    "{ t; } || :",
    "t && echo ok || echo no",
    "t; exit 0",
    "trap 'exit 0' EXIT; t",
    "[ -f a ] || exit 0; t",
    "set -e; t || true; echo done",
    "set -o pipefail; set +o pipefail; t | tail",
    "bash -c 't; true'",
    "sudo sh -c 't | cat'",
    "eval 't || true'",
    "script -qc t log",
    "t() { true; }; t",
    "f() { t; }; f",
    "coproc t",
    "cat <(t)",
    "diff <(t) <(sort b)",
    "ls > >(t)",
    "echo a | tee >(t) >(cat)",
    "{ ls; } < <(t)",
    "false && set -e; t; ls",
    "true || set -o pipefail; t | cat",
    "true || set -o pipefail && t | cat",
    "t | cat && set -o pipefail",
    "if false; then set -e; fi; t; ls",
    "set -e & t; ls",
    "set -e | cat; t; ls",
    "(set -e); t; ls",
    "set -e; { set +e; }; t; ls",
    "set -e; eval 'set +e'; t; ls",
    "set -e; true && set +e; t; ls",
    "set -- -e; t; ls",
    "t || exit 256",
    "t || exit 512; ls",
    "t || { exit 0; exit 1; }",
    "t || { true && exit; exit 1; }",
    "t || (exit 0; false)",
    "t; s=$?; s=0; exit $s",
    "t; s=$?; ((s=0)); exit $s",
    "t; s=$?; read s < f; exit $s",
    "t; s=$?; unset s; exit $s",
    "t; s=$?; export s=0; exit $s",
    "{ true; exit; }; t",
    "eval 'true; exit'; t",
    "set -e; { t; ls; } && ls",
    "set -e; (t; ls) && ls",
    "{ set -e; t; ls; } && ls",
    "set -e; { t; ls; } || exit 1",
    "set -e; { t && ls; }; echo done",
    "set -e; time { t && ls; }; echo done",
  ])("infers nothing: %s", (line) => {
    expect(inferredStatus(line, "zero") ?? "unknown").toBe("unknown");
  });

  it("infers failure behind `!`", () => expect(inferredStatus("! t", "zero")).toBe("nonzero"));
});

describe("commandStatuses for a line that failed", () => {
  it.each([
    ["t", "nonzero"],
    ["cd a; t", "nonzero"],
    ["t || false", "nonzero"],
    ["t && push", "suspect"],
    ["set -e; t; echo done", "suspect"],
    ["set -o pipefail; t | grep ok", "suspect"],
    ["t | tail -3", "suspect"],
    ["t | grep ok", "unknown"],
    ["t; false", "unknown"],
    ["! t", "zero"],
  ])("%s: %s", (line, expected) => expect(inferredStatus(line, "nonzero")).toBe(expected));
});

describe("commandStatuses with a status in the output", () => {
  it.each([
    ['t; echo "exit $?"', "no\nexit 1", "nonzero"],
    ['t; echo "exit $?"', "yes\nexit 0", "zero"],
    ["t; echo EXIT=$?", "EXIT=2", "nonzero"],
    [`t 2>&1 | tail -5; echo "exit: \${PIPESTATUS[0]}"`, "exit: 1", "nonzero"],
    ['t; code=$?; cat log; echo "code $code"', "code 0", "zero"],
    ['t | tail -5; echo "exit $?"', "exit 0", "unknown"],
    ["t; s=$?; s=0; echo $s", "0", "unknown"],
    ['t; true; echo "exit $?"', "exit 0", "unknown"],
    ['t; echo "exit $?"', "nothing of the kind", "unknown"],
  ])("reads it: %s, %j", (line, output, expected) =>
    expect(inferredStatus(line, "zero", output)).toBe(expected),
  );
});

it("returns null for a line that does not parse or is too long", () => {
  expect(commandStatuses("if t; then", "zero", "")).toBeNull();
  expect(commandStatuses(`t ${"a".repeat(20_000)}`, "zero", "")).toBeNull();
});
