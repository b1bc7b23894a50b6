import { describe, expect, it } from "vitest";
import { oneLine, plainLines, plainText } from "./plain-text.ts";

describe("text of an agent", () => {
  it("loses escape sequences, control characters and direction overrides", () => {
    expect(plainText("a\u001b[31mred\u001b[0m \u001b]0;title\u0007b\u009b2Jc\u202ed\u0000")).toBe(
      "ared bc d ",
    );
    expect(plainText("a\u001b\u001b[[2J")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it("stays on one line, and a lone surrogate becomes U+FFFD", () => {
    expect(oneLine("  git commit \\\n\t-m x\u2028y ")).toBe("git commit \\ -m x y");
    expect(oneLine("\ud800x")).toBe("\ufffdx");
  });

  it("keeps lines and their indentation", () => {
    expect(plainLines("# Plan\r\n\t- one\u0007\n  - two  ")).toEqual(["# Plan", "  - one", "  - two"]);
  });
});
