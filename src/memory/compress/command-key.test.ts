import { describe, expect, it } from "vitest";
import { commandKeys, plainCommand } from "./command-key.ts";

describe("commandKeys", () => {
  const sameCommand = [
    "npm test",
    "npm test 2>&1 | tail -30",
    "npm test 2>&1 | grep -E '^# (pass|fail)'",
    "cd /srv/shop && npm test",
    "cd packages/a; CI=1 npm test | tee out.log | head -n 5",
    "npm run test > test.log 2>&1",
    "time npm t --silent &> /dev/null",
    "npm test |& sed -n '1,5p' | sort | uniq -c",
    "echo begin; npm test",
    "set -o pipefail; npm test --color=always | cat",
  ];
  it.each(sameCommand)("gives one key however the output is shown: %s", (line) => {
    expect(commandKeys(line).all).toEqual(["npm test"]);
  });

  it.each([
    ["npm test -- cart", ["npm test -- cart"]],
    ["npm run build", ["npm build"]],
    ["npm run build && npm test", ["npm build", "npm test"]],
    ["cat a | xargs rm", ["cat a", "rm"]],
    ["grep -rn TODO src", ["grep -rn TODO src"]],
    ["cd src", ["cd src"]],
    ["", []],
  ])("gives another key to another command: %s", (line, keys) => {
    expect(commandKeys(line).all).toEqual(keys);
  });

  it.each([
    ["npm run build && npm test | tail", ["npm build"]],
    ["set -o pipefail; npm run build && npm test | tail", ["npm build", "npm test"]],
    ["npm test | tee log", []],
    ["if npm test; then echo ok; fi", []],
    ["(cd a && npm test)", ["npm test"]],
    ["cd a; npm run build; npm test", ["npm test"]],
    ["npm test; echo done", []],
    ["npm test || true", []],
    ["npm run build || make && npm test", ["npm test"]],
    ["npm start & npm test", ["npm test"]],
    ["npm test &", []],
  ])("lists as proven only commands that must have succeeded with the line: %s", (line, keys) => {
    expect(commandKeys(line).proven).toEqual(keys);
  });

  it("finds the command that runs tests", () => {
    expect(commandKeys("npm run build; npm test | tail; echo done").test).toBe("npm test");
    expect(commandKeys("npm run build").test).toBeNull();
  });
});

describe("plainCommand", () => {
  it.each([
    ["cd /srv && npm test 2>&1 | grep -c fail | tail -1", "npm test"],
    ["npm run build >/dev/null 2>&1", "npm run build"],
    ["cat src/a.ts | grep x | tail -3", "cat src/a.ts | grep x"],
    ["ls | wc -l", "ls | wc -l"],
    ["npm run build > build.log", "npm run build > build.log"],
    ["FOO=1 make && make install | tee log", "FOO=1 make && make install"],
    ["cd src", "cd src"],
  ])("%s", (line, plain) => expect(plainCommand(line)).toBe(plain));
});
