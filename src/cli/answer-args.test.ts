import { describe, expect, it } from "vitest";
import { readAnswerArgs } from "./answer-args.ts";

describe("the arguments of `hookline answer`", () => {
  it.each([
    [[], { id: null, words: "" }],
    [["r1"], { id: "r1", words: "" }],
    [["r1", "n", "not", "now,", "thanks"], { words: "n not now, thanks" }],
    [["r1", "n", "use", "-n", "--dry-run", "first"], { words: "n use -n --dry-run first" }],
    [["r1", "n", "--", "--json"], { words: "n --json", json: false }],
    [["r1", "n", "--", "--force", "is", "dangerous"], { words: "n --force is dangerous" }],
    [["--json", "r1", "y"], { id: "r1", words: "y", json: true }],
    [["r1", "deny", "--message", "no", "--json"], { words: "deny", message: "no", json: true }],
    [["r1", "allow-all", "--scope=tool"], { words: "allow-all", scope: "tool" }],
  ] as const)("%j", (raw, expected) => {
    expect(readAnswerArgs(raw)).toMatchObject(expected);
  });

  it.each([
    [["--all"]],
    [["r1", "-y"]],
    [["r1", "y", "--scope", "world"]],
    [["r1", "n", "--message"]],
    [["r1", "d", "--reason", "no"]],
    [["r1", "d", "--mesage=no"]],
  ])("%j is rejected as misuse", (raw) => {
    expect(() => readAnswerArgs(raw)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});
