import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("what nobody would see", () => {
  it.each([
    ["an escape", "\u001b[2J\u009b", "\\u001b[2J\\u009b"],
    ["another direction", "a\u202eb\u2066\u061c", "a\\u202eb\\u2066\\u061c"],
    ["no width", "\u200b\u2060\ufeff\u00ad\u034f", "\\u200b\\u2060\\ufeff\\u00ad\\u034f"],
    ["a letter that is empty", "\u3164\u115f\u2800", "\\u3164\\u115f\\u2800"],
    ["a place for a letter that fonts leave empty", "rm\ufb37-rf", "rm\\ufb37-rf"],
    ["hidden tags", "\u{e0041}\u{e0100}", "\\u{e0041}\\u{e0100}"],
    ["half a pair", "\ud800a", "\\ud800a"],
    ["ends of lines that are none", "\r\u2028\u2029\u0085", "\\u000d\\u2028\\u2029\\u0085"],
    ["a place for an object", "a\ufffcb", "a\\ufffcb"],
    ["signs that are blank by their meaning", "\u{13441}\u{1d159}", "\\u{13441}\\u{1d159}"],
    ["marks of any script in a pile", `a${"\u05bf".repeat(7)}`, `a${"\u05bf".repeat(5)}\\u05bf\\u05bf`],
    ["selectors that select nothing", "a\ufe0f\ufe00", "a\\ufe0f\\ufe00"],
    [
      "selectors that nobody sees",
      "1\ufe0e #\ufe0f →\ufe0f か\ufe0f",
      "1\\ufe0e #\\ufe0f →\\ufe0f か\\ufe0f",
    ],
    ["more than one skin", "👍\u{1f3fb}\u{1f3fc}", "👍\u{1f3fb}\\u{1f3fc}"],
  ])("is shown by its number: %s", (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleText(shown)).toBe(shown);
  });

  it.each([
    ["Thai", "a", "\u0e33"],
    ["Hindi", "\u0915", "\u094d\u0915"],
    ["Hindi with marks between", "\u0915", "\u094d\u093c\u0915"],
    ["Hindi with marks of others between", "\u0915", "\u094d\u0301\u0915"],
    ["Hangul's first parts", "", "\u1100"],
    ["signs that stand before another", "", "\u{111c2}"],
    ["halfwidth marks", "ｶ", "ﾞ"],
  ])("is no letter of any length: %s", (_script, first, next) => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    const shown = visibleText(first + next.repeat(400));
    const longest = Math.max(...Array.from(graphemes.segment(shown), ({ segment }) => [...segment].length));
    expect(longest).toBeLessThan(16);
    expect(visibleText(shown)).toBe(shown);
  });

  it("is no letter, line, tab or picture of any language", () => {
    const text = "a\n\tb 결제 設計 مرحبا é မြို့ हिंदी ❤️ 😀 ☂️ 1️⃣ น้ำ त्स्न्य ｶﾞ 👍🏽";
    expect(visibleText("결제 모듈을 고쳐 주세요".normalize("NFD"))).toBe(
      "결제 모듈을 고쳐 주세요".normalize("NFD"),
    );
    expect(visibleText(text)).toBe(text);
  });
});
