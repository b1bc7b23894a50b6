import { describe, expect, it } from "vitest";
import { displayWidth, fitToWidth, truncateToWidth, wrapToWidth } from "./display-width.ts";

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

  it("is met exactly, without splitting a character", () => {
    expect(fitToWidth("결제 모듈", 6)).toBe("결제 …");
    expect(fitToWidth("결제모듈", 6)).toBe("결제… ");
    expect(fitToWidth("결제", 6)).toBe("결제  ");
    expect(fitToWidth("12%", 5, "end")).toBe("  12%");
    for (let cells = 0; cells < 12; cells++)
      expect(displayWidth(fitToWidth("어느 데이터베이스?", cells))).toBe(cells);
    expect(truncateToWidth("결제", 4)).toBe("결제");
    expect(truncateToWidth("결제", 0)).toBe("");
  });

  it("is kept when wrapping, without losing text, each line indented like the first", () => {
    expect(wrapToWidth("  결제모듈a", 6)).toEqual(["  결제", "  모듈", "  a"]);
    expect(wrapToWidth("abcdef", 3)).toEqual(["abc", "def"]);
    expect(wrapToWidth("", 3)).toEqual([""]);
    expect(wrapToWidth("x".repeat(1_000_000), 10, 2)).toEqual(["x".repeat(10), "x".repeat(10)]);
    for (const text of [" ".repeat(20), `${" ".repeat(8)}x y`])
      expect(wrapToWidth(text, 10).every((line) => displayWidth(line) <= 10)).toBe(true);
  });
});
