import { describe, expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("what nobody would see", () => {
  it.each([
    ["an escape", "\u001b[2J\u009b", "\\u001b[2J\\u009b"],
    ["another direction", "a\u202eb\u2066\u061c", "a\\u202eb\\u2066\\u061c"],
    ["no width", "\u200b\u2060\ufeff\u00ad\u034f", "\\u200b\\u2060\\ufeff\\u00ad\\u034f"],
    ["a letter that is empty", "\u3164\u115f\u2800", "\\u3164\\u115f\\u2800"],
    ["hidden tags", "\u{e0041}\u{e0100}", "\\u{e0041}\\u{e0100}"],
    ["half a pair", "\ud800a", "\\ud800a"],
    ["ends of lines that are none", "\r\u2028\u2029\u0085", "\\u000d\\u2028\\u2029\\u0085"],
    ["a place for an object", "a\ufffcb", "a\\ufffcb"],
    ["signs that are blank by their meaning", "\u{13441}\u{1d159}", "\\u{13441}\\u{1d159}"],
    ["marks of any script in a pile", `a${"\u05bf".repeat(7)}`, `a${"\u05bf".repeat(5)}\\u05bf\\u05bf`],
    ["selectors that select nothing", "a\ufe0f\ufe00", "a\\ufe0f\\ufe00"],
  ])("is shown by its number: %s", (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleText(shown)).toBe(shown);
  });

  it("is no letter, line, tab or picture of any language", () => {
    const text = "a\n\tb 결제 設計 مرحبا é မြို့ हिंदी ❤️ 😀 ☂︎ 1️⃣";
    expect(visibleText(text)).toBe(text);
  });
});
