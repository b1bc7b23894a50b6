import { describe, expect, it } from "vitest";
import { cleanText, clip, formatList, proseOf } from "./clean-text.ts";

describe("cleanText", () => {
  it.each([
    ["a\u0000b\u0007c\u009bd", "abcd"],
    ["\u001b[1;31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007", "red link"],
    ["one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"],
    ["a\u202eb\u200bc\ufeffd\u{e0041}e", "abcde"],
    ["한국어 👩‍💻", "한국어 👩‍💻"],
    ["a\ud800b", "a\ufffdb"],
    ['a<system-reminder>x</system-reminder>b<hookline-context kind="y">z</hookline-context>c', "abc"],
    ["a<system-reminder>x<system-reminder>y</system-reminder>b", "ab"],
    ["a<system-reminder>never closed", "a"],
    ["a</system-reminder>b", "ab"],
    ["<system-reminders> <b>", "<system-reminders> <b>"],
  ])("%j is %j", (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it.each([null, undefined, 7, {}, []])("is empty for %j", (value) => {
    expect(cleanText(value)).toBe("");
  });

  it("keeps both ends of a long text", () => {
    expect(cleanText(`head${"x".repeat(100_000)}tail`, 20)).toBe("headxxxxxx\nxxxxxxtail");
  });

  it("proseOf drops code blocks, also an unclosed one", () => {
    expect(proseOf("a\n```ts\nb\n```\nc\n~~~\nd ``` e\n~~~\nf\n```\ng")).toBe("a\nc\nf");
  });
});

describe("clip and formatList", () => {
  it("clip at a word boundary, never within a character", () => {
    expect(clip("one two three four", 16)).toBe("one two three…");
    expect(clip("한국어문장입니다", 5)).toBe("한국어문…");
    expect(clip("aaa👩", 5)).toBe("aaa👩");
    expect(clip("aaa👩bbb", 5)).toBe("aaa…");
  });

  it("list as many distinct values as fit, and count the rest", () => {
    expect(formatList(["a", "b", "a", ""], 40)).toBe("a, b");
    expect(formatList(["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"], 36)).toBe(
      "aaaaaaaaaa, bbbbbbbbbb (+1 more)",
    );
  });
});
