import { describe, expect, it } from "vitest";
import { cutTo, displayWidth, toCells, wrapTo } from "./display-width.ts";

describe("the width of text", () => {
  it.each([
    ["plain", 5],
    ["결제 모듈", 9],
    ["결제".normalize("NFD"), 4],
    ["設計ファイル", 12],
    ["ｱ", 1],
    ["é".normalize("NFD"), 1],
    ["⏳", 2],
    ["👩‍💻🇰🇷", 8],
    ["👍🏿", 4],
    ["\u2329\u232a", 4],
    ["✂️", 2],
    ["●◆?▤○◐!✓✕▸…", 11],
    ["a\u0e33\u0e33\u0e33", 4],
    ["\u0915\u094d\u0915\u094d\u0915", 3],
    ["\u1100\u1100\u1100", 6],
  ])("of %s is %i cells", (text, cells) => {
    expect(displayWidth(text)).toBe(cells);
  });

  it("is met exactly, without half a letter", () => {
    expect(toCells("결제 모듈", 6)).toBe("결제 …");
    expect(toCells("결제모듈", 6)).toBe("결제… ");
    expect(toCells("결제", 6)).toBe("결제  ");
    expect(toCells("12%", 5, "end")).toBe("  12%");
    for (let cells = 0; cells < 12; cells++)
      expect(displayWidth(toCells("어느 데이터베이스?", cells))).toBe(cells);
    expect(cutTo("결제", 4)).toBe("결제");
    expect(cutTo("결제", 0)).toBe("");
  });

  it("is kept by lines that lose nothing, each as far in as the first", () => {
    expect(wrapTo("  결제모듈a", 6)).toEqual(["  결제", "  모듈", "  a"]);
    expect(wrapTo("abcdef", 3)).toEqual(["abc", "def"]);
    expect(wrapTo("", 3)).toEqual([""]);
    expect(wrapTo("x".repeat(1_000_000), 10, 2)).toEqual(["x".repeat(10), "x".repeat(10)]);
    for (const text of [" ".repeat(20), `${" ".repeat(8)}x y`])
      expect(wrapTo(text, 10).every((line) => displayWidth(line) <= 10)).toBe(true);
  });
});
