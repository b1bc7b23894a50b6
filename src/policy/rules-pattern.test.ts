import { describe, expect, it } from "vitest";
import { patternProblem } from "./rules-pattern.ts";

describe("a regular expression of a rules file", () => {
  it.each([
    String.raw`\bprod(uction)?\b`,
    "(?:a|b)c",
    "(ab)+",
    "a{2,5}",
    "[(]+[|]*",
    String.raw`\(a+\)+`,
    String.raw`[^.\n]{0,40}\btests?\b.*passed`,
    "(?<!if )tests",
    "비밀번호",
  ])("accepts %s", (source) => {
    expect(patternProblem(source)).toBeNull();
  });

  it.each([
    "(a+)+",
    "(a*)*b",
    "(?:a|a)*",
    "((ab)+c)*",
    "(a{2,})+",
    "(?:x+y?){2,}",
    "(a?){40}a",
    "(.*)+",
    "(\\d+)*",
  ])("rejects a repetition of a repetition: %s", (source) => {
    expect(patternProblem(source)).toMatch(/take for ever/);
  });

  it.each([
    ["(", /not a regular expression: .*Unterminated group/],
    ["a{2,1}", /not a regular expression/],
    ["(a)\\1", /refer back/],
    ["(?<x>a)\\k<x>", /refer back/],
    ["a".repeat(501), /more than 500/],
  ])("rejects %s", (source, words) => {
    expect(patternProblem(source)).toMatch(words);
  });
});
