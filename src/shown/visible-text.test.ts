import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("visible text", () => {
  it.each([
    ["terminal controls", "\u001b[2J\u009b", "\\u001b[2J\\u009b"],
    ["direction overrides", "a\u202eb\u2066\u061c", "a\\u202eb\\u2066\\u061c"],
    ["zero-width characters", "\u200b\u2060\ufeff\u00ad\u034f", "\\u200b\\u2060\\ufeff\\u00ad\\u034f"],
    ["empty letters", "\u3164\u115f\u2800", "\\u3164\\u115f\\u2800"],
    ["unassigned letters that fonts draw empty", "rm\ufb37-rf", "rm\\ufb37-rf"],
    ["hidden tags", "\u{e0041}\u{e0100}", "\\u{e0041}\\u{e0100}"],
    ["a lone surrogate", "\ud800a", "\\ud800a"],
    ["unusual line ends", "\r\u2028\u2029\u0085", "\\u000d\\u2028\\u2029\\u0085"],
    ["the object replacement character", "a\ufffcb", "a\\ufffcb"],
    ["signs that are blank by definition", "\u{13441}\u{1d159}", "\\u{13441}\\u{1d159}"],
    ["stacked marks of any script", `a${"\u05bf".repeat(7)}`, `a${"\u05bf".repeat(5)}\\u05bf\\u05bf`],
    ["selectors without an emoji", "a\ufe0f\ufe00", "a\\ufe0f\\ufe00"],
    [
      "selectors with no visible effect",
      "1\ufe0e #\ufe0f →\ufe0f か\ufe0f",
      "1\\ufe0e #\\ufe0f →\\ufe0f か\\ufe0f",
    ],
    ["a second skin tone", "👍\u{1f3fb}\u{1f3fc}", "👍\u{1f3fb}\\u{1f3fc}"],
  ])("escapes %s", (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleText(shown)).toBe(shown);
  });

  it.each([
    ["Thai", "a", "\u0e33"],
    ["Hindi", "\u0915", "\u094d\u0915"],
    ["Hindi with marks between", "\u0915", "\u094d\u093c\u0915"],
    ["Hindi with other scripts' marks between", "\u0915", "\u094d\u0301\u0915"],
    ["leading Hangul jamo", "", "\u1100"],
    ["prepended signs", "", "\u{111c2}"],
    ["halfwidth marks", "ｶ", "ﾞ"],
  ])("limits the length of a cluster: %s", (_script, first, next) => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    const shown = visibleText(first + next.repeat(400));
    const longest = Math.max(...Array.from(graphemes.segment(shown), ({ segment }) => [...segment].length));
    expect(longest).toBeLessThan(16);
    expect(visibleText(shown)).toBe(shown);
  });

  it("leaves letters, line breaks, tabs and emoji unchanged", () => {
    const text = "a\n\tb 결제 設計 مرحبا é မြို့ हिंदी ❤️ 😀 ☂️ 1️⃣ น้ำ त्स्न्य ｶﾞ 👍🏽";
    expect(visibleText("결제 모듈을 고쳐 주세요".normalize("NFD"))).toBe(
      "결제 모듈을 고쳐 주세요".normalize("NFD"),
    );
    expect(visibleText(text)).toBe(text);
  });
});
