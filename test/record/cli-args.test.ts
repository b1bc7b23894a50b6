import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScratch, type Scratch } from "../support/claude.ts";
import { homeOf, runHookline } from "../support/cli.ts";

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.cleanup());

it.each([
  [["sessions", "--bogus"], "unknown option --bogus"],
  [["sessions", "foo"], 'unexpected argument "foo"'],
  [["recipes", "add", "protect-paths", "--set", "paths=x", "--dryrun"], "did you mean --dry-run?"],
  [["forget", "--match", "x", "--yes", "--dryrun"], "did you mean --dry-run?"],
  [["recipes", "list", "--set", "a=b"], "--set works only with recipes add."],
  [["recipes", "ad", "protect-paths"], "did you mean add?"],
  [["policy", "test", "rm -rf /"], "requests are JSON lines on stdin"],
  [["policy", "show", "--replay"], "--replay works only with policy test."],
  [["policy", "show", "rules.json"], 'unexpected argument "rules.json"'],
  [["policy", "test", "--since", "2h"], "--since works only with --replay."],
  [["policy", "tset"], "did you mean test?"],
  [["config", "show", "port"], 'unexpected argument "port"'],
  [["config", "memory.digestToken", "900"], "did you mean memory.digestTokens?"],
  [["config", "memory.digestTokens", "-5"], "memory.digestTokens: Too small"],
  [["config", "port", "99999"], "port: Too big"],
  [["config", "approve.holdSeconds", "soon"], "approve.holdSeconds: Invalid input"],
  [["tail", "-n", "abc"], "--lines must be a whole number from 0 on"],
  [["tail", "-n", "-5"], "--lines must be a whole number from 0 on"],
  [["notify", "--after", "-1"], "--after must be a number of seconds"],
  [["run", "hi", "--budget", "NaN"], "--budget must be an amount of US dollars"],
  [["search", "x", "--limit", "0"], "--limit must be a whole number from 1 to 100"],
  [["timeline", "5", "--before", "101"], "--before must be a whole number from 0 to 100"],
  [["daemon", "--after", "abc"], "--after must be a whole number"],
  [["pause", "0m"], 'invalid duration "0m"'],
  [["pause", "9999999999d"], "invalid duration"],
  [["pause", "1h", "--end"], "a duration and --end contradict each other"],
  [["install", "--approve", "--no-approve"], "--approve and --no-approve contradict each other."],
  [["context", "--limit", "5"], "--limit works only with --explain."],
  [["status", "--line", "--json"], "choose one of --line, --statusline and --json."],
  [["sesions"], "did you mean `hookline sessions`?"],
  [["constructor"], 'unknown command "constructor"'],
  [["--version", "now"], 'unexpected argument "now"'],
])("hookline %j exits 2 and does nothing", async (args, message) => {
  const run = await runHookline(scratch, args);
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: "" });
  expect(run.stderr).toContain(message);
  expect(run.stderr).not.toContain("    at ");
  expect(existsSync(join(homeOf(scratch), "rules.json"))).toBe(false);
  expect(existsSync(join(homeOf(scratch), "pauses.json"))).toBe(false);
  expect(existsSync(join(homeOf(scratch), "config.json"))).toBe(false);
});

it("fails on a missing transcript folder", async () => {
  const run = await runHookline(scratch, ["import", "nope"]);
  expect(run).toMatchObject({ code: 1, stdout: "" });
  expect(run.stderr).toContain(`folder not found: ${join(scratch.project, "nope")}`);
});

it("blames the file for a mistake in it, not the argument", async () => {
  mkdirSync(homeOf(scratch), { recursive: true });
  const file = join(homeOf(scratch), "config.json");
  writeFileSync(file, '{"port": 99999}');
  const run = await runHookline(scratch, ["config", "memory.digestTokens", "500"]);
  expect(run.code).toBe(1);
  expect(readFileSync(file, "utf8")).toBe('{"port": 99999}');
});

it("wraps its help at words to fit the terminal", async () => {
  for (const args of [["--help"], ["top", "--help"], ["install", "-h"], ["context", "--help"]]) {
    const { code, stdout } = await runHookline(scratch, args, { COLUMNS: "80" });
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
    expect(stdout).not.toContain("exit_when");
  }
});
